# What is in a pack, as text: read by deploy, written by deploy and pack, and kept on the brick to tell what was installed there last.
#
#   cranecuber pack 1
#   version 0.1.0
#   board ev3
#   machine armv5tejl               what `uname -m` says there
#   kernel 4.14                     the oldest `uname -r`
#   file MODE BYTES SHA256 NAME     goes onto the board
#   here MODE BYTES SHA256 NAME     stays in the pack: what to read, and the program that installs it
#   end FILES                       the last line, so that half a manifest is none

# Names go into commands for the brick's shell.
plain() { case $1 in '' | -* | */../* | ../* | */.. | *[!A-Za-z0-9._/-]*) return 1 ;; esac; }

sum_of() { sha256sum < "$1" | cut -d' ' -f1; }
size_of() { wc -c < "$1" | tr -d ' '; }

# Whether the first version is as new as the second, or newer. What follows digits and dots is not looked at.
as_new_as() {                                   # VERSION VERSION
    local a b i
    IFS=. read -r -a a <<< "${1%%[!0-9.]*}"
    IFS=. read -r -a b <<< "${2%%[!0-9.]*}"
    for ((i = 0; i < ${#b[@]}; i++)); do
        [ "$((10#${a[i]:-0}))" -eq "$((10#${b[i]:-0}))" ] || { [ "$((10#${a[i]:-0}))" -gt "$((10#${b[i]:-0}))" ]; return; }
    done
}

# What a board is: the machine and the oldest kernel that its program runs on.
machine_of() { case $1 in ev3) echo armv5tejl ;; x86-64) echo x86_64 ;; *) return 1 ;; esac; }
kernel_of() { case $1 in ev3) echo 4.14 ;; x86-64) echo 3.2 ;; *) return 1 ;; esac; }

manifest_head() {                               # VERSION BOARD
    printf 'cranecuber pack 1\nversion %s\nboard %s\nmachine %s\nkernel %s\n' "$1" "$2" "$(machine_of "$2")" "$(kernel_of "$2")"
}

# Reads a manifest into VERSION, BOARD, MACHINE, KERNEL and the lists HOW (file or here), MODE, SIZE, SUM, NAME. What is wrong with it is
# printed, and the result is 1.
read_manifest() {                               # FILE
    local word one two three four count=0 end=
    VERSION='' BOARD='' MACHINE='' KERNEL='' HOW=() MODE=() SIZE=() SUM=() NAME=()
    [ "$(head -n 1 "$1")" = "cranecuber pack 1" ] || { echo "its MANIFEST is not one of cranecuber, or of a later kind"; return 1; }
    while read -r word one two three four; do
        [ -z "$end" ] || { echo "its MANIFEST goes on after its end"; return 1; }
        case $word in
            cranecuber) ;;
            version) VERSION=$one ;;
            board) BOARD=$one ;;
            machine) MACHINE=$one ;;
            kernel) KERNEL=$one ;;
            file | here)
                [[ "$one $two $three" =~ ^(644|755)\ (0|[1-9][0-9]{0,11})\ [0-9a-f]{64}$ ]] ||
                    { echo "its MANIFEST has a line that is none: $word $one $two $three $four"; return 1; }
                plain "$four" && [ "${four#/}" = "$four" ] || { echo "its MANIFEST has a name that is none: $four"; return 1; }
                HOW+=("$word"); MODE+=("$one"); SIZE+=("$two"); SUM+=("$three"); NAME+=("$four")
                count=$((count + 1)) ;;
            end) end=$one ;;
            *) echo "its MANIFEST has a line that is none: $word"; return 1 ;;
        esac
    done < "$1"
    [ "$end" = "$count" ] || { echo "its MANIFEST is cut off"; return 1; }
    { plain "$VERSION" && plain "$BOARD" && plain "$MACHINE" && plain "$KERNEL"; } || { echo "its MANIFEST does not say for which board it is"; return 1; }
}

# Writes the manifest of all files in a folder to standard output, sorted by name. What install/ holds, and what is to be read, stays.
write_manifest() {                              # FOLDER VERSION BOARD
    local name how mode count=0
    manifest_head "$2" "$3"
    while IFS= read -r name; do
        case $name in
            cranecuber | solve-cube* | tables/*.table | calibration/*.toml) how=file ;;
            *) how=here ;;
        esac
        mode=644
        [ ! -x "$1/$name" ] || mode=755
        echo "$how $mode $(size_of "$1/$name") $(sum_of "$1/$name") $name"
        count=$((count + 1))
    done < <(cd "$1" && find . -type f ! -path ./MANIFEST | cut -c 3- | LC_ALL=C sort)
    echo "end $count"
}

# The version that a Cargo.toml says.
version_of() { sed -n 's/^version = "\(.*\)"$/\1/p' "$1" | head -n 1; }

# Bytes 19 and 20 of an ELF file name its machine; 40 is ARM, 62 is x86-64.
elf_machine() { head -c 20 "$1" | od -An -tu1 | tr -s ' \n' ' ' | cut -d' ' -f2-5,20; }
is_for_arm() { [ "$(elf_machine "$1")" = "127 69 76 70 40" ]; }
is_for_x86_64() { [ "$(elf_machine "$1")" = "127 69 76 70 62" ]; }
