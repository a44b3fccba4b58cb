# Debian packages, of the folder of a pack. Sourced by pack.
#
# On a PC everything lies where Debian has it. On a brick the program lies in the home folder of ev3dev's user, because the brick's menu
# shows only that, and beside it what the program writes: journal, calibration, history. Calibration files are configuration to dpkg, which
# leaves those alone that were changed. There are no rules for udev: ev3dev's user is in the group that may use cameras.

HOME_THERE=home/robot/cranecuber

pages() {                                       # FOLDER-OF-MAN-PAGES TREE
    local page
    mkdir -p "$2/usr/share/man/man1"
    for page in "$1"/*.1; do gzip -n9 < "$page" > "$2/usr/share/man/man1/$(basename "$page").gz"; done
}
papers() {                                      # PACK TREE
    local doc=$2/usr/share/doc/cranecuber
    mkdir -p "$doc"
    cp "$1/cranecuber.cdx.json" "$doc/"
    { cat "$1/LICENSE-MIT"; printf '\nOr, as you like:\n\n'; cat "$1/LICENSE-APACHE" "$1/LICENSES.txt"; } > "$doc/copyright"
    [ ! -f "$ROOT/CHANGELOG.md" ] || gzip -n9 < "$ROOT/CHANGELOG.md" > "$doc/changelog.gz"
}

tree_ev3() {                                    # PACK MAN-PAGES TREE
    local tree=$3 file
    mkdir -p "$tree/DEBIAN" "$tree/$HOME_THERE" "$tree/usr/bin"
    cp -r "$1"/cranecuber "$1"/solve-cube* "$1/tables" "$1/calibration" "$1/MANIFEST" "$tree/$HOME_THERE/"
    ln -s "/$HOME_THERE/cranecuber" "$tree/usr/bin/cranecuber"
    for file in "$1"/calibration/*.toml; do echo "/$HOME_THERE/calibration/$(basename "$file")"; done > "$tree/DEBIAN/conffiles"
    printf '#!/bin/sh\n# Before anything is changed.\nset -e\nneeded=%s\n' "$(kernel_of ev3)" > "$tree/DEBIAN/preinst"
    cat >> "$tree/DEBIAN/preinst" <<'END'
kernel=$(uname -r)
major=${kernel%%.*}; minor=${kernel#*.}; minor=${minor%%[!0-9]*}
if [ "$major" -lt "${needed%.*}" ] || { [ "$major" -eq "${needed%.*}" ] && [ "$minor" -lt "${needed#*.}" ]; }; then
    echo "cranecuber: this brick has Linux $kernel, and $needed or newer is needed: write a newer ev3dev onto its card" >&2
    exit 1
fi
id robot > /dev/null 2>&1 || { echo "cranecuber: there is no user robot here: this package is for an EV3 with ev3dev" >&2; exit 1; }
END
    # Only what this package brings, by name, and no link followed: the folder is robot's, who could lay anything there for root to give away.
    {
        printf '#!/bin/sh\n# The program writes beside itself: journal, calibration, history.\nset -e\ncd /home/robot\n'
        # A folder that is a link leads elsewhere.
        printf 'for folder in cranecuber cranecuber/tables cranecuber/calibration; do\n'
        printf '    if [ -L "$folder" ]; then echo "cranecuber: /home/robot/$folder is a link: put a folder in its place" >&2; exit 1; fi\ndone\n'
        printf 'for name in'
        ( cd "$tree/home/robot" && find cranecuber -printf ' %p\n' | LC_ALL=C sort | tr -d '\n' )
        # A calibration that somebody has removed does not come back.
        printf '; do\n    [ ! -e "$name" ] || chown -h robot:robot "$name"\ndone\n'
    } > "$tree/DEBIAN/postinst"
    chmod 755 "$tree/DEBIAN/preinst" "$tree/DEBIAN/postinst"
    pages "$2" "$tree"
}

tree_pc() {                                     # PACK MAN-PAGES TREE
    local tree=$3
    mkdir -p "$tree/DEBIAN" "$tree/usr/bin" "$tree/usr/share/cranecuber" "$tree"/usr/share/{bash-completion/completions,zsh/vendor-completions,fish/vendor_completions.d}
    cp "$1/cranecuber" "$tree/usr/bin/"
    cp -r "$1/tables" "$1/calibration" "$tree/usr/share/cranecuber/"
    cp "$1/completions/cranecuber.bash" "$tree/usr/share/bash-completion/completions/cranecuber"
    cp "$1/completions/_cranecuber" "$tree/usr/share/zsh/vendor-completions/"
    cp "$1/completions/cranecuber.fish" "$tree/usr/share/fish/vendor_completions.d/"
    pages "$2" "$tree"
}

# The oldest libc with all that a program asks for, as it says itself. A static one asks for none.
libc_of() { { grep -aoE 'GLIBC_2\.[0-9]+' "$1" || true; } | sort -Vu | tail -n 1 | cut -d_ -f2; }

deb_of() {                                      # BOARD PACK MAN-PAGES FILE
    local tree=$WORK/tree-$1 architecture needs='' libc
    rm -rf "$tree"
    case $1 in
        ev3) architecture=armel; tree_ev3 "$2" "$3" "$tree" ;;
        x86-64)
            architecture=amd64; tree_pc "$2" "$3" "$tree"
            libc=$(libc_of "$2/cranecuber")
            [ -z "$libc" ] || needs="Depends: libc6 (>= $libc), libgcc-s1"$'\n' ;;
    esac
    papers "$2" "$tree"
    cat > "$tree/DEBIAN/control" <<END
Package: cranecuber
Version: $VERSION
Architecture: $architecture
Maintainer: cranecuber
${needs}Installed-Size: $(find "$tree" -type f ! -path '*/DEBIAN/*' -printf '%s\n' | awk '{ s += int(($1 + 1023) / 1024) } END { print s }')
Section: games
Priority: optional
Description: solves real Rubik's cubes with a LEGO EV3
 Sees a cube of 2x2x2 to 7x7x7, resolves its colours, solves it and turns it:
 with a crane, a tilter or three jaws on a brick with ev3dev; on any computer
 it solves, reads photos, simulates the machines and shows a page.
END
    ( cd "$tree" && find . -type f ! -path './DEBIAN/*' -printf '%P\n' | LC_ALL=C sort | xargs -d '\n' md5sum > DEBIAN/md5sums )
    chmod -R u=rwX,go=rX "$tree"
    find "$tree" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
    # gzip: what the brick's dpkg unpacks soonest.
    dpkg-deb --root-owner-group -Zgzip -z6 --build "$tree" "$4" > /dev/null
    rm -rf "$tree"
}
