# What is said to the brick: the connection, and the little programs that run in its shell. Sourced by deploy.
#
# They need a shell and the tools of Debian or busybox: cat, cp, cut, df, find, ln, mkdir, mv, rm, sha256sum, sync, tail, tr, uname, wc. Lines of
# answers have a mark, because a login shell may greet.

on_brick() {                                    # COMMAND; standard input goes there
    # One connection for all commands: the brick needs seconds to set one up. A brick that has gone is given up after a minute.
    # shellcheck disable=SC2086
    "$SSH" ${SSH_OPTIONS:-} -o ConnectTimeout=20 -o ServerAliveInterval=15 -o ServerAliveCountMax=4 \
        -o ControlMaster=auto -o "ControlPath=$WORK/%C" -o ControlPersist=60 "$HOST" "$1"
}
hang_up() {
    # shellcheck disable=SC2086
    "$SSH" ${SSH_OPTIONS:-} -o "ControlPath=$WORK/%C" -O exit "$HOST" > /dev/null 2>&1 || true
}

# The last line of what a command on the brick has said, and the words for what a failed one means: ssh's own failures are 255.
last_words() { tail -n 1 "$WORK/words" | tr -d '\r'; }
unreached() {                                   # CODE WHAT
    [ "$1" = 255 ] || fail "$HOST cannot say $2: $(last_words)"
    fail "cannot reach $HOST: is the brick on, and on this network? --host names another ($(last_words))"
}

# What is called previous and is no version of this program is somebody else's.
# shellcheck disable=SC2016
FOREIGN='
foreign() {
    if [ -L previous ]; then return 0; fi
    [ -e previous ] && [ ! -f previous/MANIFEST ]
}'
# For each name on standard input: checksum (- if not there, ? if it cannot be read), bytes of its unfinished transfer, name. Then what was
# installed last, whether a foreign folder is where the version before is kept, the kernel, and the free kilobytes.
# shellcheck disable=SC2016
LOOK='
cd "$folder" 2>/dev/null || folder=
'"$FOREIGN"'
while read -r name part; do
    sum=-; size=0
    if [ -n "$folder" ]; then
        if [ -f "$name" ]; then sum=$({ sha256sum < "$name" | cut -d" " -f1; } 2>/dev/null); fi
        if [ -f "$part" ]; then size=$({ wc -c < "$part"; } 2>/dev/null); fi
    fi
    # Nothing, where a file cannot be read.
    sum=${sum:-?}; size=${size:-0}
    echo "FILE $sum $size $name"
done
if [ -n "$folder" ] && [ -f MANIFEST ]; then while read -r line; do echo "OLD $line"; done < MANIFEST; fi
if [ -n "$folder" ] && foreign; then echo FOREIGN; fi
echo "KERNEL $(uname -r) $(uname -m)"
echo "FREE $(df -Pk . | tail -n 1 | tr -s " " | cut -d" " -f4)"'

# One at a time: who is at it has the lock and is named in it. The lock of one that died, or that a loss of power left, is nobody's; the
# brick's clock may be wrong, so age alone would not do.
# shellcheck disable=SC2016
LOCK='
lock=.cranecuber.lock
boot=$(cat /proc/sys/kernel/random/boot_id 2>/dev/null)
if ! mkdir $lock 2>/dev/null; then
    holder=$(cat $lock/holder 2>/dev/null)
    if [ -z "$holder" ] || { [ "${holder% *}" = "$boot" ] && [ -d "/proc/${holder#* }" ]; }; then
        [ -n "$(find $lock -prune -mmin +10 2>/dev/null)" ] || { echo BUSY; exit 0; }
    fi
    rm -rf $lock; mkdir $lock 2>/dev/null || { echo BUSY; exit 0; }
fi
echo "$boot $$" > $lock/holder
trap "rm -rf $lock" EXIT
keep() {
    mkdir -p "$2/$(dirname "$1")" && { ln "$1" "$2/$1" 2>/dev/null || cp -p "$1" "$2/$1"; }
}
# Half a removed folder never has the name previous.
exchange() {
    rm -rf .cranecuber.old && { [ ! -d previous ] || mv previous .cranecuber.old; } && mv "$1" previous && rm -rf .cranecuber.old
}'
# Puts what was sent in its place, all at once. Standard input has a line for each: put MODE SUM PART NAME, gone NAME, part ./NAME (whose
# unfinished transfers are of no use any more; but if one of them is newer than the file $began, another deploy is at work, and all stay),
# and the end. Nothing is done before the end was read, and from then on it no longer matters whether anybody listens.
# What is to be done holds only for the version that was there when the brick was looked at, the one whose manifest has the sum $seen.
# What was there before is kept in previous/, as further names of the same files, which take no room. A switch that a loss of power broke
# off is completed by the next one, which then must not keep what is half old and half new: .switching says so.
# shellcheck disable=SC2016
SWITCH='
cd "$folder" || exit 1
trap "" HUP PIPE
'"$FOREIGN"'
list=$(cat)
case $list in *"
end") ;; *) echo CUT; exit 1 ;; esac
'"$LOCK"'
echo "$list" | while read -r word mode sum part name; do
    [ "$word" != put ] || [ -f "$part" ] || { echo "LOST $name"; exit 1; }
done || exit 0
now=$({ sha256sum < MANIFEST | cut -d" " -f1; } 2>/dev/null)
[ "${now:--}" = "$seen" ] || { echo MOVED; exit 0; }
sync
if [ -n "$saves" ] && [ "$(cat .switching 2>/dev/null)" != "$saves" ]; then
    if foreign; then echo FOREIGN; exit 0; fi
    rm -rf .cranecuber.new && mkdir .cranecuber.new || exit 1
    while read -r word mode size sum name; do
        [ "$word" != file ] || [ ! -f "$name" ] || keep "$name" .cranecuber.new || exit 1
    done < MANIFEST
    cp MANIFEST .cranecuber.new/MANIFEST && exchange .cranecuber.new && echo "$saves" > .switching || exit 1
    sync
fi
echo "$list" | while read -r word mode sum part name; do
    case $word in
        put) chmod "$mode" "$part" && mv -f "$part" "$name" || exit 1 ;;
        gone) rm -f "$mode" ;;
    esac
done || exit 1
rm -f .switching
rm -rf .cranecuber.new .cranecuber.old
if [ -f "$began" ]; then
    h="[0-9a-f][0-9a-f][0-9a-f][0-9a-f]"
    h=$h$h$h$h
    parts=$(echo "$list" | while read -r word name; do
        [ "$word" = part ] || continue
        for part in ${name%/*}/.${name##*/}.$h.part; do [ ! -f "$part" ] || echo "$part"; done
    done)
    # Names have no spaces.
    [ -z "$parts" ] || [ -n "$(find $parts -newer "$began")" ] || rm -f $parts
    # What deploys that broke off have left of their beginning.
    for other in .cranecuber-since.*.part; do
        [ "$other" = "$began" ] || [ -z "$(find "$began" -newer "$other" 2>/dev/null)" ] || rm -f "$other"
    done
    rm -f "$began"
fi
sync
echo DONE'

# Exchanges what is there for what is kept. All of it is checked before anything is changed. A calibration comes back only where nobody has
# changed it since; otherwise it stays.
# shellcheck disable=SC2016
BACK_THERE='
cd "$folder" 2>/dev/null && [ -f previous/MANIFEST ] && [ -f MANIFEST ] || { echo NONE; exit 0; }
trap "" HUP PIPE
'"$LOCK"'
sum_of() { sha256sum < "$1" 2>/dev/null | cut -d" " -f1; }
sum_in() { while read -r w m s c n; do [ "$n" != "$2" ] || echo "$c"; done < "$1"; }
while read -r word mode size sum name; do
    case $word/$name in
        file/calibration/*) ;;
        file/*) [ "$(sum_of "previous/$name")" = "$sum" ] || { echo "DAMAGED $name"; exit 0; } ;;
    esac
done < previous/MANIFEST
if ! [ -f .cranecuber.back/MANIFEST ] || [ "$(sum_of .cranecuber.back/MANIFEST)" != "$(sum_of MANIFEST)" ]; then
    rm -rf .cranecuber.back && mkdir .cranecuber.back || exit 1
    while read -r word mode size sum name; do
        [ "$word" != file ] || [ ! -f "$name" ] || keep "$name" .cranecuber.back || exit 1
    done < MANIFEST
    cp MANIFEST .cranecuber.back/MANIFEST || exit 1
fi
while read -r word mode size sum name; do
    [ "$word" = file ] || continue
    now=$(sum_of "$name")
    [ "$now" != "$sum" ] || continue
    case $name in
        calibration/*)
            if [ -f "$name" ] && [ "$now" != "$(sum_in MANIFEST "$name")" ] || [ "$(sum_of "previous/$name")" != "$sum" ]; then
                echo "KEPT $name"
                continue
            fi ;;
    esac
    rm -f "$name.back"
    ln "previous/$name" "$name.back" 2>/dev/null || cp -p "previous/$name" "$name.back" || exit 1
    mv -f "$name.back" "$name" || exit 1
done < previous/MANIFEST
while read -r word mode size sum name; do
    case $word/$name in
        file/calibration/*) ;;
        file/*) [ -n "$(sum_in previous/MANIFEST "$name")" ] || rm -f "$name" ;;
    esac
done < MANIFEST
sync
cp previous/MANIFEST MANIFEST.back && mv -f MANIFEST.back MANIFEST && exchange .cranecuber.back || exit 1
sync
echo "BACK $(while read -r word what; do [ "$word" != version ] || echo "$what"; done < MANIFEST)"'
