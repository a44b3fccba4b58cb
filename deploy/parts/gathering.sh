# What is to be on the brick: from a pack, or from a checkout. Fills LOCAL, NAME, MODE, SUM and SIZE, and says VERSION, MACHINE and KERNEL.
# Sourced by deploy; nothing on the brick is asked or changed here.

add() {                                         # FILE NAME MODE
    plain "$2" || fail "$1 has a name with other characters than letters, digits and . _ -: rename it"
    [ -r "$1" ] || fail "cannot read $1: check its permissions"
    LOCAL+=("$1"); NAME+=("$2"); MODE+=("$3")
    SUM+=("$(sum_of "$1")"); SIZE+=("$(size_of "$1")")
}

gather_pack() {
    local folder=$PACK i all=() local=() how=() mode=() size=() sum=() name=()
    if [ ! -d "$PACK" ]; then
        [ -f "$PACK" ] || fail "no pack at $PACK"
        mkdir "$WORK/pack"
        folder=$(unpack "$PACK" "$WORK/pack") || fail "$PACK $folder"
    fi
    [ -f "$folder/MANIFEST" ] || fail "$PACK is no pack: it has no MANIFEST"
    check_pack "$folder" > "$WORK/words" || fail "$PACK is refused: $(cat "$WORK/words")"
    [ "$BOARD" = ev3 ] || fail "$PACK is for $BOARD, and a brick is an ev3: take cranecuber-$VERSION-ev3.tar.gz"
    # Only what is for the board.
    for i in "${!NAME[@]}"; do
        [ "${HOW[$i]}" = file ] || continue
        local+=("$folder/${NAME[$i]}"); name+=("${NAME[$i]}"); mode+=("${MODE[$i]}"); size+=("${SIZE[$i]}"); sum+=("${SUM[$i]}")
    done
    LOCAL=("${local[@]}") NAME=("${name[@]}") MODE=("${mode[@]}") SIZE=("${size[@]}") SUM=("${sum[@]}")
    add "$folder/MANIFEST" MANIFEST 644
}

gather_checkout() {
    local program file tables calibration i
    shopt -s nullglob
    if [ -z "$TABLES" ]; then
        program=$ROOT/target/release/cranecuber
        [ -x "$program" ] || program=$(command -v cranecuber) || fail "no program here says where tables are: name their folder with --tables"
        TABLES=$("$program" tables folder) || fail "$program does not say where tables are: name their folder with --tables"
    fi
    tables=("$TABLES"/*.table)
    [ ${#tables[@]} -gt 0 ] || fail "no tables in $TABLES: build them with cargo run --release -- tables build --tables '$TABLES'"
    # A brick has no use for the table of proofs, and no room.
    for file in "${tables[@]}"; do
        case $file in *-optimal.table) continue ;; esac
        add "$file" "tables/$(basename "$file")" 644
    done
    calibration=("$CALIBRATION"/*.toml)
    [ ${#calibration[@]} -gt 0 ] || fail "no calibration in $CALIBRATION: name its folder with --calibration"
    for file in "${calibration[@]}"; do add "$file" "calibration/$(basename "$file")" 644; done
    [ -f "$BINARY" ] || fail "no program at $BINARY: build it as cross/README.md says"
    is_for_arm "$BINARY" || fail "$BINARY is not a program for ARM: build it as cross/README.md says"
    add "$BINARY" cranecuber 755
    for file in "$HERE"/solve-cube*; do add "$file" "$(basename "$file")" 755; done
    VERSION=$(version_of "$ROOT/Cargo.toml") MACHINE=$(machine_of ev3) KERNEL=$(kernel_of ev3)
    {
        manifest_head "$VERSION" ev3
        for i in "${!NAME[@]}"; do echo "file ${MODE[$i]} ${SIZE[$i]} ${SUM[$i]} ${NAME[$i]}"; done
        echo "end ${#NAME[@]}"
    } > "$WORK/MANIFEST"
    add "$WORK/MANIFEST" MANIFEST 644
}
