# The bill of materials: which crates a program is made of, as CycloneDX 1.5. Made from cargo's own tree of what is linked, and the checksums
# of Cargo.lock, so that the same sources give the same bytes. Sourced by pack.

bill_of() {                                     # VERSION SECONDS CARGO-TREE-OPTIONS...
    local version=$1 seconds=$2; shift 2
    cargo tree --locked -e normal --prefix depth --format '|{p}|{l}' "$@" > "$WORK/tree" || return 1
    date -u -d "@$seconds" +%Y-%m-%dT%H:%M:%SZ | LC_ALL=C awk -v version="$version" -v lock="$ROOT/Cargo.lock" -v tree="$WORK/tree" '
        function ref(name, version) { return "pkg:cargo/" name "@" version }
        function component(type, key, indent,   s) {
            s = indent "{\"type\": \"" type "\", \"bom-ref\": \"" key "\", \"name\": \"" name[key] "\", \"version\": \"" of[key] "\""
            if (licence[key] != "") s = s ", \"licenses\": [{\"expression\": \"" licence[key] "\"}]"
            if (key in sum) s = s ", \"hashes\": [{\"alg\": \"SHA-256\", \"content\": \"" sum[key] "\"}]"
            return s ", \"purl\": \"" key "\"}"
        }
        function sorted(from, to,   i, j, n, swap) {
            n = 0
            for (i in from) to[++n] = i
            for (i = 2; i <= n; i++) for (j = i; j > 1 && to[j] < to[j - 1]; j--) { swap = to[j]; to[j] = to[j - 1]; to[j - 1] = swap }
            return n
        }
        { time = $0 }
        END {
            while ((getline line < lock) > 0) {
                split(line, word, "\"")
                if (line ~ /^name = /) package = word[2]
                if (line ~ /^version = /) number = word[2]
                if (line ~ /^checksum = /) sum[ref(package, number)] = word[2]
            }
            while ((getline line < tree) > 0) {
                split(line, part, "|")
                split(part[2], word, " ")
                sub(/^v/, "", word[2])
                key = ref(word[1], word[2]); depth = part[1] + 0
                name[key] = word[1]; of[key] = word[2]
                sub(/ *\(\*\)$/, "", part[3]); gsub("/", " OR ", part[3]); if (part[3] != "") licence[key] = part[3]
                above[depth] = key
                if (depth == 0) top = key
                else edge[above[depth - 1] " " key] = 1
            }
            print "{\n  \"bomFormat\": \"CycloneDX\",\n  \"specVersion\": \"1.5\",\n  \"version\": 1,"
            print "  \"metadata\": {\n    \"timestamp\": \"" time "\",\n    \"component\":\n" component("application", top, "      ") "\n  },"
            print "  \"components\": ["
            n = sorted(name, key_of); first = 1
            for (i = 1; i <= n; i++) if (key_of[i] != top) {
                printf "%s%s", first ? "" : ",\n", component("library", key_of[i], "    "); first = 0
            }
            print "\n  ],\n  \"dependencies\": ["
            m = sorted(edge, edges)
            for (i = 1; i <= n; i++) {
                printf "    {\"ref\": \"%s\", \"dependsOn\": [", key_of[i]; first = 1
                for (j = 1; j <= m; j++) {
                    split(edges[j], pair, " ")
                    if (pair[1] == key_of[i]) { printf "%s\"%s\"", first ? "" : ", ", pair[2]; first = 0 }
                }
                print "]}" (i < n ? "," : "")
            }
            print "  ]\n}"
        }'
}

# The licences of all these crates, each text once, as their licences ask. From the sources that cargo has built them from.
licences_of() {                                 # reads $WORK/tree
    local sources=${CARGO_HOME:-$HOME/.cargo}/registry/src package version licence file sum found without=''
    local -A seen=()
    echo "The program is made of these libraries too. Each licence is printed once, below the names of those that it belongs to."
    awk -F'|' '{ split($2, word, " "); sub(/^v/, "", word[2]); sub(/ *\(\*\)$/, "", $3); gsub("/", " OR ", $3); print word[1], word[2], $3 }' \
        "$WORK/tree" | LC_ALL=C sort -u > "$WORK/crates"
    while read -r package version licence; do
        found=
        # The last is where crates are that this repository has itself.
        for file in "$sources"/*/"$package-$version"/{LICEN[SC]E,COPYING,NOTICE,UNLICENSE}* "$ROOT/cross/$package"/LICENSE*; do
            [ -f "$file" ] || continue
            found=1
            sum=$(sum_of "$file")
            seen[$sum]+=" $package"
            [ -e "$WORK/licence-$sum" ] || tr -d '\r' < "$file" > "$WORK/licence-$sum"
        done
        # The program's own licences lie beside this.
        [ -n "$found" ] || [ "$package" = cranecuber ] || without+="$package $version: ${licence:-no licence named}"$'\n'
    done < "$WORK/crates"
    [ ${#seen[@]} -gt 0 ] || return 1
    [ -z "$without" ] || printf '\nThese come without a text of their licence, which they name so:\n\n%s' "$without"
    for sum in $(printf '%s\n' "${!seen[@]}" | LC_ALL=C sort); do
        printf '\n---- %s\n\n' "$(tr ' ' '\n' <<< "${seen[$sum]}" | LC_ALL=C sort -u | tr '\n' ' ')"
        cat "$WORK/licence-$sum"
    done
    rm -f "$WORK"/licence-*
}
