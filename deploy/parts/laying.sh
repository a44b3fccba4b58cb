# Lays packs and their sums into the folder where they are wanted: all of them whole, or none. Sourced by pack.

# Whether a file has nothing but sums of packs: else it is somebody else's, and stays.
is_ours() { ! grep -qvE '^[0-9a-f]{64} [ *]cranecuber[-_][A-Za-z0-9._-]+$' "$1"; }

# FROM has SHA256SUMS of what is made now; what else of ours lies in INTO keeps its line in the new one.
lay_down() {                                    # FROM INTO
    local from=$1 into=$2 sums=$2/SHA256SUMS file name sum names=()
    mkdir -p "$into" 2> "$WORK/words" || fail "cannot make the folder $into: $(tail -n 1 "$WORK/words")"
    cp "$from/SHA256SUMS" "$from/sums"
    if [ -e "$sums" ] || [ -L "$sums" ]; then
        [ -f "$sums" ] && is_ours "$sums" || fail "$sums is none of these packs: take it away, or name another folder with --into"
        while read -r sum name; do
            name=${name#\*}
            [ ! -f "$into/$name" ] || [ -e "$from/$name" ] || echo "$sum  $name"
        done < "$sums" >> "$from/sums"
    fi
    for file in "$from"/cranecuber[-_]*; do names+=("$(basename "$file")"); done
    sort -k 2 -o "$from/SHA256SUMS" "$from/sums"
    names+=(SHA256SUMS)
    # All that takes room first: from then on only names change.
    for name in "${names[@]}"; do
        cp "$from/$name" "$into/.$name.part" 2> "$WORK/words" || unlaid "$into" "${names[@]}"
    done
    for name in "${names[@]}"; do
        mv -fT "$into/.$name.part" "$into/$name" 2> "$WORK/words" || unlaid "$into" "${names[@]}"
    done
}
unlaid() {                                      # INTO NAMES...
    local into=$1 name; shift
    for name; do rm -f "$into/.$name.part"; done
    fail "the packs cannot be written to $into: $(tail -n 1 "$WORK/words"); make room there, or name another folder with --into"
}
