# Compares what is to be on the brick with what is there, sends what is missing, and switches. Sourced by deploy, in which order it is told.

declare -A THERE=() PART=() OLD=()
declare -a TARGET=() todo=()
free='' kernel='' machine='' old_version='' foreign='' needed=0 same=0
# Made on the brick as sending begins, with a name of its own: what another deploy has sent since then is newer.
SINCE=.cranecuber-since.$$.$RANDOM.part

part_of() { echo "$(dirname "${TARGET[$1]}")/.$(basename "${TARGET[$1]}").${SUM[$1]:0:16}.part"; }

# Asks the brick.
look() {
    local i name mark one two three four five code=0 asked=0
    TARGET=("${NAME[@]}")
    for i in "${!NAME[@]}"; do
        echo "${NAME[$i]} $(part_of "$i")"
        case ${NAME[$i]} in calibration/*)
            TARGET[i]=${NAME[$i]}.new
            echo "${TARGET[$i]} $(part_of "$i")"
            TARGET[i]=${NAME[$i]} ;;
        esac
    done > "$WORK/names"
    asked=$(wc -l < "$WORK/names")
    on_brick "folder='$FOLDER'; $LOOK" < "$WORK/names" > "$WORK/there" 2> "$WORK/words" || code=$?
    [ $code = 0 ] || unreached $code "what is there"
    while read -r mark one two three four five; do
        case $mark in
            FILE) THERE[$three]=$one; PART[$three]=$two ;;
            FREE) free=$one ;;
            FOREIGN) foreign=1 ;;
            KERNEL) kernel=$one machine=$two ;;
            OLD)
                [ "$one" != version ] || old_version=$two
                [ "$one" != file ] || OLD[$five]=$four ;;
        esac
    done < "$WORK/there"
    [ "${#THERE[@]}" -eq "$asked" ] && [ -n "$free" ] && [ -n "$machine" ] ||
        fail "$HOST does not answer as a brick should: $(tail -n 1 "$WORK/there")"
    for name in "${!THERE[@]}"; do
        [ "${THERE[$name]}" != '?' ] ||
            fail "$FOLDER/$name cannot be read on $HOST: there, sudo chown robot $FOLDER/$name && chmod u+r $FOLDER/$name; then run deploy again"
    done
}

# Whether this version can run there.
check_brick() {
    [ "$machine" = "$MACHINE" ] || fail "$HOST is a $machine, and this program is for an EV3 ($MACHINE): is it the right computer?"
    as_new_as "$kernel" "$KERNEL" ||
        fail "$HOST has Linux $kernel, and cranecuber needs $KERNEL or newer: write a newer ev3dev onto its card (stretch has 4.14)"
    [ -z "$old_version" ] || as_new_as "$VERSION" "$old_version" || [ -n "$OLDER" ] ||
        fail "$HOST has version $old_version, and this is $VERSION: --older installs it all the same, --back goes back to what was there"
    [ -z "$old_version" ] || [ "$old_version" = "$VERSION" ] || say "$HOST has version $old_version, this is $VERSION"
}

# What is to be sent, and as what.
compare() {
    local i name
    for i in "${!NAME[@]}"; do
        name=${NAME[$i]}
        if [ "${THERE[$name]}" = "${SUM[$i]}" ]; then same=$((same + 1)); continue; fi
        case $name in calibration/*)
            # Not there, or as it was installed: it is ours.
            if [ "${THERE[$name]}" != - ] && [ "${THERE[$name]}" != "${OLD[$name]:-}" ]; then
                same=$((same + 1))
                if [ "${OLD[$name]:-}" = "${SUM[$i]}" ]; then say "$name was changed on the brick: it stays"; continue; fi
                say "$name was changed on the brick: it stays, and the new one is beside it as $name.new"
                TARGET[i]=$name.new name=$name.new
                [ "${THERE[$name]}" != "${SUM[$i]}" ] || continue
                same=$((same - 1))
            fi ;;
        esac
        todo+=("$i")
        # A part that is too long is of no use.
        [ "${PART[$name]}" -le "${SIZE[$i]}" ] || PART[$name]=0
        needed=$((needed + SIZE[i] - PART[$name]))
    done
}

# Whether another version is there, which is to be kept in previous/. The manifest is the last of all names.
keeps() { [ "${THERE[MANIFEST]}" != - ] && [ "${THERE[MANIFEST]}" != "${SUM[${#NAME[@]} - 1]}" ]; }
is_foreign() { fail "$FOLDER/previous on $HOST is no earlier version of this program: nothing is changed; rename it, or name another --folder"; }

# Sends the bytes from an offset on, then checks; gives 0 done, 1 arrived damaged, 2 broken off.
send() {                                        # INDEX OFFSET
    local i=$1 from=$2 part how='>>'
    part=$(part_of "$i")
    [ "$from" -gt 0 ] || how='>'
    if [ "$from" -lt "${SIZE[$i]}" ] || [ "$from" = 0 ]; then
        tail -c "+$((from + 1))" "${LOCAL[$i]}" | on_brick "cd '$FOLDER' && cat $how '$part'" > "$WORK/words" 2>&1 || return 2
    fi
    on_brick "cd '$FOLDER' && if [ \"\$(sha256sum < '$part' | cut -d' ' -f1)\" = ${SUM[$i]} ]
        then echo GOOD; else rm -f '$part' && echo BAD; fi" < /dev/null > "$WORK/answer" 2> "$WORK/words" || return 2
    grep -qx GOOD "$WORK/answer" && return 0
    grep -qx BAD "$WORK/answer" && return 1
    return 2
}

# Where sending ends early, but not by a break of the connection.
tidy() { on_brick "rm -f '$FOLDER/$SINCE'" < /dev/null > "$WORK/words" 2>&1 || true; }

send_all() {
    local i offset code
    on_brick "mkdir -p '$FOLDER/tables' '$FOLDER/calibration' && > '$FOLDER/$SINCE'" < /dev/null > "$WORK/words" 2>&1 ||
        fail "cannot make the folder $FOLDER on $HOST: $(last_words)"
    for i in ${todo[@]+"${todo[@]}"}; do
        offset=${PART[${TARGET[$i]}]}
        say "sending ${TARGET[$i]} ($((SIZE[i] - offset)) of ${SIZE[$i]} bytes)"
        code=0; send "$i" "$offset" || code=$?
        if [ $code = 1 ]; then
            say "${TARGET[$i]} arrived damaged: sending it again, whole"
            code=0; send "$i" 0 || code=$?
        fi
        case $code in
            0) ;;
            1)
                tidy
                fail "${TARGET[$i]} arrived damaged twice: the brick's card may be worn out, try another" ;;
            *) fail "the connection to $HOST broke off at ${TARGET[$i]}: run deploy again, it continues ($(last_words))" ;;
        esac
    done
}

# All new names at once, on the brick. A version that is another one than before leaves the one before in previous/.
switch() {
    local i name new=' ' saves='' code=0 answer
    {
        for i in ${todo[@]+"${todo[@]}"}; do echo "put ${MODE[$i]} ${SUM[$i]} $(part_of "$i") ${TARGET[$i]}"; done
        for i in "${!NAME[@]}"; do new+="${NAME[$i]} "; done
        # What the version before had and this one has not.
        for name in ${OLD[@]+"${!OLD[@]}"}; do
            case $name in calibration/*) continue ;; esac
            case $new in *" $name "*) ;; *) echo "gone $name" ;; esac
        done
        # What may be left of transfers of these names, and of their new calibrations.
        for name in "${NAME[@]}" ${OLD[@]+"${!OLD[@]}"}; do
            echo "part ./$name"
            case $name in calibration/*) echo "part ./$name.new" ;; esac
        done | sort -u
        echo end
    } > "$WORK/list"
    ! keeps || saves=${SUM[${#NAME[@]} - 1]}
    on_brick "folder='$FOLDER'; saves='$saves'; seen='${THERE[MANIFEST]}'; began='$SINCE'; $SWITCH" \
        < "$WORK/list" > "$WORK/answer" 2> "$WORK/words" || code=$?
    answer=$(grep -E '^(DONE|BUSY|MOVED|FOREIGN|LOST .*)$' "$WORK/answer" | tail -n 1) || true
    case $code/$answer in
        0/DONE) return 0 ;;
        */ | */DONE) ;;
        *) tidy ;;
    esac
    case $code/$answer in
        */BUSY) fail "another deploy is putting a version in its place on $HOST: run deploy again when it is done" ;;
        */LOST*) fail "${answer#LOST } is no longer on $HOST, another deploy took it: nothing is changed; run deploy again" ;;
        */MOVED) fail "another deploy has put another version in its place on $HOST meanwhile: nothing is changed; run deploy again, it continues" ;;
        */FOREIGN) is_foreign ;;
    esac
    fail "the connection to $HOST broke off while the new version was put in its place: run deploy again, it continues ($(last_words))"
}
