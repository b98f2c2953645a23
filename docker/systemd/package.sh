#!/bin/sh
# Makes target/skein-VERSION-ARCH.tar.gz of this checkout: Skein with a Java of its own, for machines
# with systemd and without containers; and skein_VERSION_ARCH.deb of it where dpkg-deb is installed.
# README.md, beside this file, is what is in it, too. The same commit and JDK give the same archive.
#   docker/systemd/package.sh [FOLDER]   default: target
#   JAVA_HOME=…                          a JDK, 25 or newer, with jlink
set -eu

cd "$(dirname "$0")/../.."
folder=${1:-target}
jar=node/target/skein.jar
[ -r "$jar" ] || { echo "package.sh: there is no $jar: ./mvnw install -Dmaven.test.skip" >&2; exit 1; }
bin=${JAVA_HOME:+$JAVA_HOME/bin/}
version=$(sed -n 's:^  <version>\(.*\)</version>:\1:p' pom.xml | head -n 1)
epoch=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 1767225600)}
name=skein-$version-$(uname -m)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# As docker/Dockerfile makes it, which says why these modules.
mkdir -p "$work/$name" "$folder"
cp "$jar" LICENSE "$work/$name"
cp -r conf/examples "$work/$name/examples"
cp docker/systemd/skein docker/systemd/skein.service docker/systemd/environment docker/systemd/install.sh \
  docker/systemd/README.md "$work/$name"
modules=$("${bin}jdeps" --multi-release 25 --ignore-missing-deps --print-module-deps "$jar" | sed 's/java.desktop,//')
"${bin}jlink" --add-modules "$modules,jdk.naming.dns,jdk.charsets,jdk.jfr" --compress zip-6 \
  --no-header-files --no-man-pages --strip-java-debug-attributes --output "$work/$name/java"
find "$work/$name" -exec touch --no-dereference --date "@$epoch" {} +

archive() { tar -C "$work" --sort=name --owner=0 --group=0 --numeric-owner --mode=go-w,a+rX -cf - "$@"; }
archive "$name" | gzip -n >"$folder/$name.tar.gz"
ls -l "$folder/$name.tar.gz"

command -v dpkg-deb >/dev/null 2>&1 || exit 0
arch=$(dpkg --print-architecture)
deb=skein_$(echo "$version" | sed 's/-/~/')_$arch.deb
root=$work/deb
mkdir -p "$root/DEBIAN" "$root/opt" "$root/etc/skein" "$root/usr/bin" "$root/lib/systemd/system"
cp -r "$work/$name" "$root/opt/skein"
rm "$root/opt/skein/install.sh"
mv "$root/opt/skein/skein.service" "$root/lib/systemd/system"
mv "$root/opt/skein/environment" "$root/etc/skein/environment"
ln -s /opt/skein/skein "$root/usr/bin/skein"
cat >"$root/DEBIAN/control" <<EOF
Package: skein
Version: $(echo "$version" | sed 's/-/~/')
Architecture: $arch
Maintainer: The authors of Skein
Section: net
Priority: optional
Depends: libc6, passwd
Description: clustered, durable workflow server
 Runs workflow definitions in the format of Elsa Workflows 3. All durable state
 is in a PostgreSQL database, which is not part of this package.
EOF
echo /etc/skein/environment >"$root/DEBIAN/conffiles"
cat >"$root/DEBIAN/postinst" <<'EOF'
#!/bin/sh
set -e
id skein >/dev/null 2>&1 ||
  useradd --system --user-group --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin skein
chmod 600 /etc/skein/environment
if [ -d /run/systemd/system ]; then
  systemctl daemon-reload
  # Only one that runs; which is to run, and when, is the operator's.
  systemctl try-restart skein
fi
EOF
cat >"$root/DEBIAN/prerm" <<'EOF'
#!/bin/sh
set -e
if [ "$1" = remove ] && [ -d /run/systemd/system ]; then
  systemctl disable --now skein
fi
EOF
chmod -R go-w,a+rX "$root"
chmod 755 "$root/DEBIAN/postinst" "$root/DEBIAN/prerm"
chmod 600 "$root/etc/skein/environment"
find "$root" -exec touch --no-dereference --date "@$epoch" {} +
SOURCE_DATE_EPOCH=$epoch dpkg-deb --root-owner-group -Zgzip --build "$root" "$folder/$deb" >/dev/null
ls -l "$folder/$deb"
