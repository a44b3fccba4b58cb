# Opens a pack: an archive, or the folder that it was unpacked into. Sourced by deploy; nothing on the brick is asked or changed here.

# Unpacks an archive into a folder and prints the pack's folder in it. What is wrong is printed, and the result is 1.
unpack() {                                      # ARCHIVE FOLDER
    local listed top beside wanted
    [ -r "$1" ] || { echo "cannot be read"; return 1; }
    # The sums that the archive was published with, if they lie beside it.
    beside=$(dirname "$1")/SHA256SUMS
    if [ -r "$beside" ]; then
        wanted=$(awk -v name="$(basename "$1")" '$2 == name || $2 == "*" name { print $1 }' "$beside")
        [ -z "$wanted" ] || [ "$wanted" = "$(sum_of "$1")" ] ||
            { echo "is not the one in SHA256SUMS beside it: it was altered, or not copied to its end; fetch it again"; return 1; }
    fi
    gzip -t "$1" 2> /dev/null || { echo "is truncated or damaged: fetch it again"; return 1; }
    listed=$(tar -tvzf "$1" 2> /dev/null) || { echo "is truncated or damaged: fetch it again"; return 1; }
    # Plain files and folders, all below one folder; tar's own letters come first in each line.
    [ -z "$(grep -v '^[-d]' <<< "$listed")" ] || { echo "has links in it, which no pack has"; return 1; }
    top=$(tar -tzf "$1" | cut -d/ -f1 | sort -u)
    plain "$top" && ! tar -tzf "$1" | grep -qE '(^|/)\.\.(/|$)|^/' || { echo "is no pack: it is not one folder"; return 1; }
    tar -xzf "$1" -C "$2" --no-same-owner 2> /dev/null || { echo "cannot be unpacked into $2: is there room?"; return 1; }
    [ -f "$2/$top/MANIFEST" ] || { echo "is no pack: it has no MANIFEST"; return 1; }
    echo "$2/$top"
}

# Checks that a folder holds what its manifest says, and nothing else. Sets what read_manifest sets.
check_pack() {                                  # FOLDER
    local i found
    read_manifest "$1/MANIFEST" || return 1
    for i in "${!NAME[@]}"; do
        [ -f "$1/${NAME[$i]}" ] && [ ! -L "$1/${NAME[$i]}" ] || { echo "${NAME[$i]} is missing in it"; return 1; }
        [ "$(size_of "$1/${NAME[$i]}")" = "${SIZE[$i]}" ] && [ "$(sum_of "$1/${NAME[$i]}")" = "${SUM[$i]}" ] ||
            { echo "${NAME[$i]} in it is not what its MANIFEST says: it was altered, or not copied to its end; fetch it again"; return 1; }
    done
    found=$(cd "$1" && find . ! -type d ! -path ./MANIFEST | wc -l)
    [ "$found" -eq "${#NAME[@]}" ] || { echo "there are files in it that its MANIFEST does not name"; return 1; }
}
