# Packs and what is kept of the version before. Sourced by test, whose functions it uses, and which has filled a brick.

rm -rf "$BRICK"; mkdir "$BRICK"
. "$HERE/parts/manifest.sh"
# Makes the pack of a version in $WORK/packs from what lies in $PC, and SHA256SUMS beside it; what else is said is done to its folder before,
# or after its manifest was written.
pack() {                                        # VERSION BOARD [CHANGE-BEFORE [CHANGE-AFTER]]
    local name=cranecuber-$1-$2
    rm -rf "$WORK/packs"; mkdir -p "$WORK/packs/$name"
    cp -r "$PC/cranecuber" "$PC/tables" "$PC/calibration" "$HERE"/solve-cube* "$WORK/packs/$name/"
    rm -f "$WORK/packs/$name/tables/README.md" "$WORK/packs/$name"/tables/*-optimal.table
    chmod +x "$WORK/packs/$name/cranecuber"
    echo "read me" > "$WORK/packs/$name/README.txt"
    ( cd "$WORK/packs/$name"; eval "${3:-}"; write_manifest . "$1" "$2" > "$WORK/MANIFEST"; cp "$WORK/MANIFEST" MANIFEST; eval "${4:-}" )
    tar -C "$WORK/packs" -cf - "$name" | gzip -n > "$WORK/packs/$name.tar.gz"
    ( cd "$WORK/packs"; sha256sum "$name.tar.gz" > SHA256SUMS )
    FILE=$WORK/packs/$name.tar.gz
}
there() { cat "$BRICK/cranecuber/$1"; }
version_there() { sed -n 's/^version //p' "$BRICK/cranecuber/MANIFEST"; }
is_version() { [ "$(version_there)" = "$1" ] || wrong "the brick has version $(version_there), not $1"; }
# Names and bytes of a whole version, without the one that is kept.
version_tree() { ( cd "$BRICK/cranecuber"; find . -path ./previous -prune -o -type f -exec sha256sum {} + | sort -k 2 ); }

test="a pack arrives on an empty brick: what is for the board, and nothing else"
pack 1.0.0 ev3
plainly "" --pack "$FILE"; is_code 0; is_complete_pack() { [ "$(tail -n 1 "$BRICK/cranecuber/MANIFEST")" = "end 7" ] || wrong "no manifest of seven files"; }
is_complete_pack; is_version 1.0.0; says "is complete, version 1.0.0: 7 files sent"
[ ! -e "$BRICK/cranecuber/README.txt" ] || wrong "README.txt is on the brick"
[ ! -e "$BRICK/cranecuber/previous" ] || wrong "an earlier version out of nowhere"
plainly "" --pack "$FILE"; is_code 0; says "0 files sent, 7 were there"; passed

test="an unpacked pack is a pack, and its own deploy needs no options"
mkdir "$WORK/packs/cranecuber-1.0.0-ev3/install"; cp -r "$HERE/deploy" "$HERE/parts" "$WORK/packs/cranecuber-1.0.0-ev3/install/"
write_manifest "$WORK/packs/cranecuber-1.0.0-ev3" 1.0.0 ev3 > "$WORK/MANIFEST"; cp "$WORK/MANIFEST" "$WORK/packs/cranecuber-1.0.0-ev3/MANIFEST"
DEPLOY=$WORK/packs/cranecuber-1.0.0-ev3/install/deploy plainly ""; is_code 0; is_version 1.0.0; says "1 files sent, 6 were there"
plainly "" --pack "$WORK/packs/cranecuber-1.0.0-ev3" --dry-run; is_code 0; says "7 are already there"; passed

test="without an earlier version there is no way back"
rm -rf "$BRICK/cranecuber/previous"; before=$(tree)
plainly "" --back; is_code 1; says_one_line "there is no earlier version on robot@brick"; [ "$(tree)" = "$before" ] || wrong "the brick changed"; passed

test="an upgrade keeps the version before, and goes back and forth as a whole"
pack 1.0.0 ev3; plainly "" --pack "$FILE"; rm -rf "$BRICK/cranecuber/previous"; first=$(version_tree)
program; head -c 5000 /dev/urandom > "$PC/tables/small.table"; head -c 77 /dev/urandom > "$PC/tables/added.table"
pack 1.1.0 ev3 'rm tables/big.table; echo "size = 4" > calibration/4.toml'
plainly "" --pack "$FILE"; is_code 0; is_version 1.1.0; says "robot@brick has version 1.0.0, this is 1.1.0"; second=$(version_tree)
[ ! -e "$BRICK/cranecuber/tables/big.table" ] || wrong "a table of the version before is left"
[ -x "$BRICK/cranecuber/previous/cranecuber" ] && [ -f "$BRICK/cranecuber/previous/tables/big.table" ] || wrong "the version before is not kept whole"
plainly "" --back; is_code 0; says "is 1.0.0 again"; [ "$(version_tree | grep -v calibration/4.toml)" = "$first" ] || wrong "it is not the first version again"
[ -x "$BRICK/cranecuber/cranecuber" ] || wrong "no run bit"
plainly "" --back; is_code 0; says "is 1.1.0 again"; [ "$(version_tree)" = "$second" ] || wrong "it is not the second version again"; passed

test="an older version is only installed on request"
pack 1.0.9 ev3; before=$(tree)
plainly "" --pack "$FILE"; is_code 1; says_one_line "robot@brick has version 1.1.0, and this is 1.0.9: --older installs it"; [ "$(tree)" = "$before" ] || wrong "the brick changed"
plainly "" --pack "$FILE" --older; is_code 0; is_version 1.0.9; passed

test="a link that is cut in the middle of an upgrade leaves the whole version before"
before=$(version_tree); program; head -c 700001 /dev/urandom > "$PC/tables/big.table"; pack 1.2.0 ev3
plainly cut:250000 --pack "$FILE"; is_code 1; says_one_line "run deploy again, it continues"
[ "$(version_tree | grep -v '\.part$')" = "$before" ] || wrong "the version before is not whole"
plainly "" --pack "$FILE"; is_code 0; is_version 1.2.0; [ "$sent" -lt 1000000 ] || wrong "sent $sent bytes"; passed

test="a link that is cut while all is put in its place: the old version, or the new one"
before=$(version_tree); program; pack 1.3.0 ev3
plainly half --pack "$FILE"; is_code 1; says_one_line "broke off while the new version was put in its place: run deploy again"
[ "$(version_tree | grep -v '\.part$')" = "$before" ] || wrong "the version before is not whole"
plainly mute --pack "$FILE"; is_code 1; is_version 1.3.0
plainly "" --pack "$FILE"; is_code 0; says "0 files sent"; plainly "" --back; is_code 0; [ "$(version_tree)" = "$before" ] || wrong "it is not the version before again"; passed

test="a loss of power between two names: the next run completes it, and what is kept is the version before"
# As it is then: kept, the mark made, one file already in its place, the others still to come.
program; pack 1.4.0 ev3
plainly cut:250000 --pack "$FILE"; is_code 1; part=$(ls "$BRICK"/cranecuber/.cranecuber.*.part)
cp -r "$BRICK/cranecuber" "$WORK/aside"; rm -rf "$BRICK/cranecuber/previous" "$WORK/aside/previous"
mv "$WORK/aside" "$BRICK/cranecuber/previous"; rm -f "$BRICK"/cranecuber/previous/.*.part
cp "$PC/cranecuber" "$part"; chmod 755 "$part"; mv "$part" "$BRICK/cranecuber/cranecuber"
sha256sum < "$WORK/packs/cranecuber-1.4.0-ev3/MANIFEST" | cut -d' ' -f1 > "$BRICK/cranecuber/.switching"
plainly "" --pack "$FILE"; is_code 0; is_version 1.4.0; [ ! -e "$BRICK/cranecuber/.switching" ] || wrong "the mark is left"
plainly "" --back; is_code 0; [ "$(version_tree)" = "$before" ] || wrong "it is not the version before again"; plainly "" --back; passed

test="a version that was damaged where it is kept is not gone back to"
echo junk >> "$BRICK/cranecuber/previous/solve-cube"; before=$(tree)
plainly "" --back; is_code 1; says_one_line "solve-cube of the earlier version is damaged"; [ "$(tree)" = "$before" ] || wrong "the brick changed"; passed

test="a calibration that was changed on the brick stays; the new one lies beside it"
echo "size = 3 # mine" > "$BRICK/cranecuber/calibration/3.toml"
program; pack 1.5.0 ev3; plainly "" --pack "$FILE"; is_code 0; says "calibration/3.toml was changed on the brick: it stays"
[ "$(there calibration/3.toml)" = "size = 3 # mine" ] || wrong "the calibration was touched"
[ ! -e "$BRICK/cranecuber/calibration/3.toml.new" ] || wrong "there is nothing new to lay beside it"
echo "size = 3 # better" > "$PC/calibration/3.toml"; pack 1.6.0 ev3
plainly "" --pack "$FILE"; is_code 0; says "it stays, and the new one is beside it as calibration/3.toml.new"
[ "$(there calibration/3.toml)" = "size = 3 # mine" ] || wrong "the calibration was touched"
[ "$(there calibration/3.toml.new)" = "size = 3 # better" ] || wrong "the new one is not beside it"
plainly "" --pack "$FILE"; is_code 0; says "0 files sent"
plainly "" --back; is_code 0; says "calibration/3.toml was changed on the brick: it stays"; [ "$(there calibration/3.toml)" = "size = 3 # mine" ] || wrong "the calibration was touched"
plainly "" --back; is_code 0
# Who takes the new one over has an unchanged one again.
mv "$BRICK/cranecuber/calibration/3.toml.new" "$BRICK/cranecuber/calibration/3.toml"
echo "size = 3 # best" > "$PC/calibration/3.toml"; pack 1.7.0 ev3
plainly "" --pack "$FILE"; is_code 0; [ "$(there calibration/3.toml)" = "size = 3 # best" ] || wrong "an unchanged calibration is not replaced"
plainly "" --back; [ "$(there calibration/3.toml)" = "size = 3 # better" ] || wrong "an unchanged calibration does not go back"
plainly "" --back; passed

test="a calibration of which nobody knows whether it was changed stays, too"
rm "$BRICK/cranecuber/MANIFEST"; echo "size = 3 # whose?" > "$BRICK/cranecuber/calibration/3.toml"
plainly "" --pack "$FILE"; is_code 0; [ "$(there calibration/3.toml)" = "size = 3 # whose?" ] || wrong "the calibration was touched"; passed

refused() { is_code 1; says_one_line "$1"; [ "$(tree)" = "$before" ] || wrong "the brick changed"; [ "$(cat "$WORK/log")" = 0 ] || wrong "bytes were sent"; }
before=$(tree)
test="a pack for another board is refused by name"
pack 2.0.0 x86-64; plainly "" --pack "$FILE"; refused "is for x86-64, and a brick is an ev3: take cranecuber-2.0.0-ev3.tar.gz"; passed

test="a pack that was truncated, altered, or is none is refused before the brick is asked"
pack 2.0.0 ev3; head -c 400000 "$FILE" > "$WORK/cut.tar.gz"; plainly "" --pack "$WORK/cut.tar.gz"; refused "is truncated or damaged"
cp "$WORK/cut.tar.gz" "$FILE"; plainly "" --pack "$FILE"; refused "is not the one in SHA256SUMS beside it"
pack 2.0.0 ev3 "" 'printf %032d 0 | dd of=tables/big.table bs=1 seek=1000 conv=notrunc status=none'; plainly "" --pack "$FILE"; refused "tables/big.table in it is not what its MANIFEST says"
pack 2.0.0 ev3 "" 'rm tables/small.table'; plainly "" --pack "$FILE"; refused "tables/small.table is missing in it"
pack 2.0.0 ev3 "" 'echo more > tables/more.table'; plainly "" --pack "$FILE"; refused "files in it that its MANIFEST does not name"
pack 2.0.0 ev3 "" 'sed -i "\$d" MANIFEST'; plainly "" --pack "$FILE"; refused "its MANIFEST is cut off"
pack 2.0.0 ev3 "" 'sed -i "s, cranecuber\$, ../../cranecuber," MANIFEST'; plainly "" --pack "$FILE"; refused "its MANIFEST has a name that is none"
pack 2.0.0 ev3 "" 'sed -i "1s/1/9/" MANIFEST'; plainly "" --pack "$FILE"; refused "or of a later kind"
pack 2.0.0 ev3 "" 'sed -i "s/^file 755 /file 4755 /" MANIFEST'; plainly "" --pack "$FILE"; refused "its MANIFEST has a line that is none"
pack 2.0.0 ev3 "" 'rm MANIFEST'; plainly "" --pack "$FILE"; refused "is no pack: it has no MANIFEST"
pack 2.0.0 ev3 "" 'ln -sf /etc/passwd tables/small.table'; plainly "" --pack "$FILE"; refused "has links in it"
tar -C "$PC" -czf "$WORK/some.tar.gz" calibration tables; plainly "" --pack "$WORK/some.tar.gz"; refused "is no pack: it is not one folder"
plainly "" --pack "$WORK/none.tar.gz"; refused "no pack at $WORK/none.tar.gz"; passed

test="a brick with an older kernel, or another machine, is refused before anything is changed"
pack 2.0.0 ev3
KERNEL="4.4.47-19-ev3dev-ev3 armv5tejl" plainly "" --pack "$FILE"; refused "robot@brick has Linux 4.4.47-19-ev3dev-ev3, and cranecuber needs 4.14 or newer"
KERNEL="4.14.117-ev3dev armv7l" plainly "" --pack "$FILE"; refused "robot@brick is a armv7l, and this program is for an EV3 (armv5tejl)"
KERNEL="5.10.3 armv5tejl" plainly "" --pack "$FILE" --dry-run; is_code 0; passed

test="a full card is told before anything is sent, with a pack too"
plainly full --pack "$FILE"; refused "robot@brick has 100 KB free"; passed

test="options that contradict each other are bad usage"
plainly "" --pack "$FILE" --tables "$PC/tables"; is_code 2; says_one_line "--tables does not go with --pack"
plainly "" --back --dry-run; is_code 2; says_one_line "--back takes only --host and --folder"; passed

test="a file on the brick that cannot be read is named, with what to do"
mkdir -p "$WORK/log.blind"; printf '#!/bin/sh\ncat > /dev/null; exit 1\n' > "$WORK/log.blind/sha256sum"; chmod +x "$WORK/log.blind/sha256sum"
pack 2.0.0 ev3; plainly "" --pack "$FILE"; is_code 0; before=$(tree); plainly blind --pack "$FILE"; is_code 1; says_one_line "cannot be read on robot@brick: there, sudo chown robot cranecuber/"
[ "$(tree)" = "$before" ] || wrong "the brick changed"; passed

test="what is not ours stays, though the folder is the home folder"
rm -rf "$BRICK"; mkdir "$BRICK"; pack 1.0.0 ev3; plainly "" --pack "$FILE" --folder .; is_code 0
mkdir -p "$BRICK/tables" "$BRICK/previous"; echo diary > "$BRICK/previous/diary"; echo half > "$BRICK/.film.part"; echo half > "$BRICK/tables/.mine.part"; echo mine > "$BRICK/.previous"
program; pack 1.1.0 ev3; plainly "" --pack "$FILE" --folder .; is_code 1; says_one_line "previous on robot@brick is no earlier version of this program: nothing is changed"
[ "$(cat "$WORK/log")" = 0 ] || wrong "it was sent all the same"
[ "$(cat "$BRICK/previous/diary")" = diary ] || wrong "a folder that is not ours is gone"; grep -qx "version 1.0.0" "$BRICK/MANIFEST" || wrong "it was installed all the same"
mv "$BRICK/previous" "$BRICK/kept"; plainly "" --pack "$FILE" --folder .; is_code 0; grep -qx "version 1.1.0" "$BRICK/MANIFEST" || wrong "it was not installed"
[ "$(cat "$BRICK/.film.part" "$BRICK/tables/.mine.part" "$BRICK/.previous")" = "half
half
mine" ] || wrong "files that are not ours are gone"
[ -z "$(find "$BRICK" -name '.cranecuber.*')" ] || wrong "something is left over"; passed

test="while another deploy puts a version in its place nothing is changed, and the lock of a dead one is nobody's"
rm -rf "$BRICK"; mkdir "$BRICK"; pack 1.0.0 ev3; plainly "" --pack "$FILE"; is_code 0; program; pack 1.1.0 ev3; lock=$BRICK/cranecuber/.cranecuber.lock
boot=$(cat /proc/sys/kernel/random/boot_id); mkdir "$lock"; echo "$boot $$" > "$lock/holder"
plainly "" --pack "$FILE"; is_code 1; says_one_line "another deploy is putting a version in its place on robot@brick: run deploy again"; is_version 1.0.0
sleep 0 & dead=$!; wait $dead; echo "$boot $dead" > "$lock/holder"
plainly "" --pack "$FILE"; is_code 0; is_version 1.1.0; [ ! -e "$lock" ] || wrong "the lock is left"
mkdir "$lock"; echo "$boot $$" > "$lock/holder"; plainly "" --back; is_code 1; says_one_line "another deploy is at work"; is_version 1.1.0
echo "another-boot $$" > "$lock/holder"; plainly "" --back; is_code 0; is_version 1.0.0
mkdir "$lock"; touch -d "11 minutes ago" "$lock"; plainly "" --back; is_code 0; is_version 1.1.0; passed

test="when another deploy took a part away, nothing is put in its place"
program; head -c 4000 /dev/urandom > "$PC/tables/small.table"; pack 1.2.0 ev3; before=$(version_tree)
plainly robbed --pack "$FILE"; is_code 1; says_one_line "is no longer on robot@brick, another deploy took it: nothing is changed; run deploy again"
[ "$(version_tree | grep -v '\.part$')" = "$before" ] || wrong "the brick changed"; plainly "" --pack "$FILE"; is_code 0; is_version 1.2.0; passed

# Two deploys at once: the second one has other files of the same names.
rm -rf "$BRICK"; mkdir "$BRICK"; pack 1.0.0 ev3; plainly "" --pack "$FILE"; is_code 0
pack_of() { program; head -c 4000 /dev/urandom > "$PC/tables/small.table"; pack "$1" ev3; mkdir -p "$WORK/kept"; cp "$FILE" "$WORK/kept/"; FILE=$WORK/kept/$(basename "$FILE"); }
pack_of 1.1.0; first=$FILE; pack_of 1.2.0; second=$FILE
parts() { ( cd "$BRICK/cranecuber"; find . -name '.*.????????????????.part' -exec sha256sum {} + | sort ); }

test="what another deploy is sending meanwhile stays, the whole file and the half one, and is tidied away once nobody sends it"
plainly cut:400000 --pack "$first"; is_code 1; plainly cut:1000 --pack "$first"; is_code 1; before=$(parts); [ "$(wc -l <<< "$before")" = 2 ] || wrong "other parts than two: $before"
export FAKE_MEANWHILE="touch cranecuber/tables/.small.table.*.part"
plainly meanwhile --pack "$second"; is_code 0; is_version 1.2.0; [ "$(parts)" = "$before" ] || wrong "parts of another deploy are gone: $(parts)"
plainly "" --older --pack "$first" --dry-run; is_code 0; says "would send cranecuber (0 of 300020 bytes)"; says "would send tables/small.table (3000 of 4000 bytes)"
plainly "" --pack "$second"; is_code 0; [ -z "$(find "$BRICK/cranecuber" -name '.*')" ] || wrong "something is left over: $(find "$BRICK" -name '.*')"; passed

test="a deploy that another one overtakes changes nothing, and goes on when it is run again"
pack_of 1.3.0; export FAKE_MEANWHILE="'$DEPLOY' --back"
plainly meanwhile --pack "$FILE"; is_code 1; says_one_line "another deploy has put another version in its place on robot@brick meanwhile: nothing is changed; run deploy again"; is_version 1.0.0
( cd "$BRICK/cranecuber"; sed -n 's/^file [0-9]* [0-9]* \([0-9a-f]*\) /\1  /p' MANIFEST | sha256sum --quiet -c ) > "$WORK/output" 2>&1 || wrong "two versions are mixed"
plainly "" --pack "$FILE"; is_code 0; is_version 1.3.0; [ "$sent" = 0 ] || wrong "sent $sent bytes again"; unset FAKE_MEANWHILE; passed

# ---- what makes packs ------------------------------------------------------------------------------------------------------------
FROM=$WORK/from INTO=$WORK/into
made() { rm -rf "$FROM"; mkdir -p "$FROM" "$INTO"; for name; do echo "$RANDOM $name" > "$FROM/$name"; done; ( cd "$FROM"; sha256sum -- "$@" > SHA256SUMS ); }
laid() {                                        # SHELL-CODE-BEFORE
    code=0
    ( set -euo pipefail; fail() { echo "pack: $*" >&2; exit 1; }; . "$HERE/parts/laying.sh"; eval "${1:-}"; lay_down "$FROM" "$INTO" ) > "$WORK/output" 2>&1 || code=$?
}
sums_hold() { ( cd "$INTO"; sha256sum --quiet -c SHA256SUMS ) >> "$WORK/output" 2>&1 || wrong "SHA256SUMS is not true"; }

test="packs are laid down whole, or not at all"
made cranecuber-1-ev3.tar.gz cranecuber_1_armel.deb; laid; is_code 0; sums_hold; before=$(cat "$INTO"/*)
made cranecuber-1-ev3.tar.gz cranecuber_1_armel.deb
laid 'cp() { case $2 in *.deb.part) head -c 1 "$1" > "$2"; echo "cp: No space left on device" >&2; return 1 ;; *) command cp "$@" ;; esac; }'
is_code 1; grep -q "^pack: the packs cannot be written to $INTO: cp: No space left on device; make room" "$WORK/output" || wrong "no words"
[ "$(cat "$INTO"/*)" = "$before" ] || wrong "a half of the packs is there"; [ -z "$(find "$INTO" -name '*.part')" ] || wrong "parts are left"; passed

test="the sums of other packs stay, and a SHA256SUMS that is not ours"
made cranecuber-1-x86-64.tar.gz; laid; is_code 0; sums_hold; [ "$(wc -l < "$INTO/SHA256SUMS")" = 3 ] || wrong "sums of other packs are lost"
rm "$INTO/cranecuber_1_armel.deb"; made cranecuber-1-x86-64.tar.gz; laid; is_code 0; sums_hold; [ "$(wc -l < "$INTO/SHA256SUMS")" = 2 ] || wrong "other sums than of what is there"
( cd "$INTO"; echo mine > mine.iso; sha256sum mine.iso > SHA256SUMS; cp SHA256SUMS "$WORK/mine" )
laid; is_code 1; says "$INTO/SHA256SUMS is none of these packs"; cmp -s "$INTO/SHA256SUMS" "$WORK/mine" || wrong "it is lost"; passed

test="paths of options are meant from where pack is started"
mkdir -p "$WORK/tools"; for tool in cargo dpkg-deb; do printf '#!/bin/sh\n' > "$WORK/tools/$tool"; chmod +x "$WORK/tools/$tool"; done
code=0; ( cd "$PC"; SOURCE_DATE_EPOCH=1 PATH=$WORK/tools:$PATH "$HERE/pack" --pc-binary cranecuber ) > "$WORK/output" 2>&1 || code=$?
is_code 1; says "pack: $(realpath "$PC")/cranecuber is not a program for x86-64"; passed

test="a library without a text of its licence is named, and no text at all is a failure"
mkdir -p "$WORK/cargo/registry/src/index/with-1.0.0"; echo "You may." > "$WORK/cargo/registry/src/index/with-1.0.0/LICENSE-MIT"
printf '%s\n' "0|cranecuber v1.0.0 (/x)|MIT" "1|with v1.0.0|MIT" "1|bare v2.0.0|MIT/Apache-2.0 (*)" > "$WORK/tree"
licences() { code=0; ( ROOT=$WORK/root CARGO_HOME=$WORK/cargo; . "$HERE/parts/bill.sh"; shopt -u nullglob; licences_of ) > "$WORK/output" 2>&1 || code=$?; }
licences; is_code 0; says "You may."; says "----  with"; says "bare 2.0.0: MIT OR Apache-2.0"; ! grep -q "^cranecuber\|^with" "$WORK/output" || wrong "names what has a text"
rm "$WORK/cargo/registry/src/index/with-1.0.0/LICENSE-MIT"; licences; is_code 1; passed

test="a Debian package for the brick gives robot its own files by name, and follows no link"
if command -v dpkg-deb > /dev/null; then
    pack 1.0.0 ev3; folder=$WORK/packs/cranecuber-1.0.0-ev3; touch "$folder/cranecuber.cdx.json" "$folder/LICENSES.txt" "$folder/LICENSE-MIT" "$folder/LICENSE-APACHE"
    mkdir -p "$WORK/man" "$WORK/home/robot" "$WORK/control"; touch "$WORK/man/cranecuber.1"
    ( ROOT=$WORK/root VERSION=1.0.0 SOURCE_DATE_EPOCH=1; . "$HERE/parts/deb.sh"; deb_of ev3 "$folder" "$WORK/man" "$WORK/brick.deb" )
    dpkg-deb -e "$WORK/brick.deb" "$WORK/control"; cp -r "$BRICK/cranecuber" "$WORK/home/robot/"; ln -s /etc/passwd "$WORK/home/robot/cranecuber/trap"
    rm "$WORK/home/robot/cranecuber/calibration/3.toml"
    printf '#!/bin/sh\necho "$*" >> %s/owned\n' "$WORK" > "$WORK/tools/chown"; chmod +x "$WORK/tools/chown"
    give() { code=0; rm -f "$WORK/owned"; sed "s,/home/robot,$WORK/home/robot,g" "$WORK/control/postinst" > "$WORK/postinst"; PATH=$WORK/tools:$PATH sh "$WORK/postinst" > "$WORK/output" 2>&1 || code=$?; }
    give; is_code 0; ! grep -q -e "-R" -e trap -e previous -e toml "$WORK/owned" || wrong "it gives away more: $(cat "$WORK/owned")"
    for name in cranecuber cranecuber/tables cranecuber/tables/big.table cranecuber/MANIFEST cranecuber/solve-cube; do
        grep -qx -- "-h robot:robot $name" "$WORK/owned" || wrong "$name is not given"
    done
    before_it() { code=0; PATH=$WORK/log.kernel:$WORK/tools:$PATH FAKE_KERNEL="$1 armv5tejl" sh "$WORK/control/preinst" > "$WORK/output" 2>&1 || code=$?; }
    printf '#!/bin/sh\n' > "$WORK/tools/id"; chmod +x "$WORK/tools/id"
    for kernel in 4.13.99-ev3dev 3.16.7 4.4.47-19-ev3dev-ev3; do before_it $kernel; is_code 1; says "has Linux $kernel, and $(kernel_of ev3) or newer is needed"; done
    for kernel in "$(kernel_of ev3).0" 4.14.117-ev3dev 4.19 5.4.1; do before_it $kernel; is_code 0; done
    rm -rf "$WORK/home/robot/cranecuber/tables"; ln -s /etc "$WORK/home/robot/cranecuber/tables"
    give; is_code 1; says "cranecuber/tables is a link"; [ ! -e "$WORK/owned" ] || wrong "it followed a link"; passed
else
    echo "skipped, without dpkg-deb: $test"
fi

test="a version is released by its own tag, and only once CHANGELOG.md says so"
mkdir -p "$WORK/root"; cp "$HERE/../Cargo.toml" "$WORK/root/"; rm -rf "$WORK/root/deploy"; cp -r "$HERE" "$WORK/root/deploy"; version=$(version_of "$WORK/root/Cargo.toml")
releasable() { code=0; printf '# Changes\n\n%s\n\n## 0.0.1 (not yet released)\n' "$2" > "$WORK/root/CHANGELOG.md"; "$WORK/root/deploy/parts/releasable" "$1" > "$WORK/output" 2>&1 || code=$?; }
releasable "v$version" "## $version (2026-11-30)"; is_code 0
releasable "v$version" "## $version (not yet released)"; is_code 1; says "put the day of the release there"
releasable "v$version" "## 9.9.9"; is_code 1; says "has no heading for $version"
releasable v9.9.9 "## 9.9.9"; is_code 1; says "tag v$version, or change Cargo.toml"; passed
