#!/bin/sh
# Installs a released countersign for Linux. Nothing is run or put in place before it is verified: the signature over SHA256SUMS by the
# key below, then the checksum of the binary.
#   sh install.sh [--version X.Y.Z] [--to FOLDER] [--from ADDRESS]
# It needs openssl (3.0 or later), sha256sum, and curl or wget. FOLDER is /usr/local/bin unless it is named; ADDRESS, of a mirror, has
# what the address below has, at the same paths (COUNTERSIGN_RELEASES_URL says the same).
set -eu

# Ed25519, as data/release.json has it. While it is empty nothing was released, and nothing is installed.
PUBLIC_KEY=''
RELEASES='https://github.com/countersign/countersign/releases'

# No list of checksums is longer, and no binary: a host that sends without end is not heard out.
MOST_SUMS=65536
MOST_BINARY=536870912

fail() {
  echo "install.sh: $1" >&2
  exit 1
}

# fetch PATH FILE MOST_BYTES: over https alone, but from this machine.
fetch() {
  case $releases in
  https://*) only='=https' ;;
  http://127.0.0.1:* | http://localhost:*) only='=http' ;;
  *) fail "$releases is no https address." ;;
  esac
  if command -v curl >/dev/null 2>&1; then
    curl --fail --silent --show-error --location --proto "$only" --proto-redir "$only" --tlsv1.2 --connect-timeout 20 --max-time 900 \
      --max-filesize "$3" --output "$2" "$releases/$1" || fail "$releases/$1 was not fetched."
  elif command -v wget >/dev/null 2>&1; then
    wget --quiet --timeout=20 --tries=1 --max-redirect=5 --output-document="$2" "$releases/$1" || fail "$releases/$1 was not fetched."
  else
    fail 'curl or wget is needed.'
  fi
  [ "$(wc -c <"$2")" -le "$3" ] || fail "$releases/$1 is larger than a release is."
}

# is_older A B: whether version A comes before B. A version with a suffix (1.0.0-rc.1) comes before the one without.
is_older() {
  awk -v a="$1" -v b="$2" 'BEGIN {
    split(a, x, /[-+]/); split(b, y, /[-+]/); split(x[1], p, "."); split(y[1], q, ".")
    for (i = 1; i <= 3; i++) if (p[i] + 0 != q[i] + 0) exit !(p[i] + 0 < q[i] + 0)
    exit !(x[2] != "" && y[2] == "")
  }'
}

main() {
  releases=${COUNTERSIGN_RELEASES_URL:-$RELEASES}
  folder=/usr/local/bin
  wanted=
  while [ $# -gt 0 ]; do
    [ $# -ge 2 ] || fail "$1 needs a value; it is --version X.Y.Z, --to FOLDER or --from ADDRESS."
    case $1 in
    --version) wanted=${2#v} ;;
    --to) folder=$2 ;;
    --from) releases=$2 ;;
    *) fail "$1 is not known; it is --version X.Y.Z, --to FOLDER or --from ADDRESS." ;;
    esac
    shift 2
  done
  releases=${releases%/}
  case $wanted in
  *[!0-9A-Za-z.+-]*) fail "$wanted is no version; one is 1.2.3." ;;
  esac

  [ -n "$PUBLIC_KEY" ] || fail 'this script has no key of a release, so it can verify none: take the one that came with a release.'
  [ "$(uname -s)" = Linux ] || fail "the binaries are for Linux, and this is $(uname -s)."
  case $(uname -m) in
  x86_64 | amd64) arch=x64 ;;
  aarch64 | arm64) arch=arm64 ;;
  *) fail "there is no binary for $(uname -m)." ;;
  esac
  for tool in openssl sha256sum awk mktemp; do
    command -v "$tool" >/dev/null 2>&1 || fail "$tool is needed."
  done
  [ -d "$folder" ] || fail "$folder is no folder; make it, or name another one by --to."

  # In the folder itself, so that the binary gets its place by a rename.
  work=$(mktemp -d "$folder/.countersign-install.XXXXXX") || fail "$folder cannot be written to; run this as root, or name another by --to."
  trap 'rm -rf "$work"' EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM HUP

  if [ -n "$wanted" ]; then place="download/v$wanted"; else place=latest/download; fi
  fetch "$place/SHA256SUMS" "$work/SHA256SUMS" "$MOST_SUMS"
  fetch "$place/SHA256SUMS.sig" "$work/SHA256SUMS.sig" "$MOST_SUMS"
  printf '%s\n%s\n%s\n' '-----BEGIN PUBLIC KEY-----' "$PUBLIC_KEY" '-----END PUBLIC KEY-----' >"$work/key.pem"
  openssl pkeyutl -verify -pubin -inkey "$work/key.pem" -rawin -in "$work/SHA256SUMS" -sigfile "$work/SHA256SUMS.sig" >/dev/null 2>&1 ||
    fail "SHA256SUMS at $releases is not signed by the key of countersign. Nothing was installed."

  name=$(awk -v end="-linux-$arch" '
    $2 ~ /^countersign-[0-9]+\.[0-9]+\.[0-9]+[0-9A-Za-z.+-]*$/ && substr($2, length($2) - length(end) + 1) == end { print $2 }
  ' "$work/SHA256SUMS")
  sum=$(awk -v name="$name" '$2 == name { print $1 }' "$work/SHA256SUMS")
  [ "$(printf '%s' "$sum" | wc -w)" -eq 1 ] && [ ${#sum} -eq 64 ] || fail "this release has no binary for Linux on $arch."
  version=${name#countersign-}
  version=${version%"-linux-$arch"}
  [ -z "$wanted" ] || [ "$version" = "$wanted" ] || fail "$wanted was asked for, and $releases has $version there."
  if [ -z "$wanted" ] && [ -x "$folder/countersign" ]; then
    here=$("$folder/countersign" --version 2>/dev/null || echo 0)
    is_older "$version" "$here" && fail "$version is older than $here, which is installed. To go back name it: --version $version"
  fi

  fetch "download/v$version/$name" "$work/countersign" "$MOST_BINARY"
  found=$(sha256sum "$work/countersign" | awk '{ print $1 }')
  [ "$found" = "$sum" ] || fail "$name has the checksum $found, and $sum is signed. Nothing was installed."
  chmod 755 "$work/countersign"
  mv -f "$work/countersign" "$folder/countersign"
  echo "$folder/countersign is countersign $version."
}

# At the very end: a script that was cut off on its way does nothing.
main "$@"
