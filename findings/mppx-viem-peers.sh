#!/usr/bin/env bash
# Guess: the client of the Machine Payments Protocol (mppx) and the library for chains that it names as its peer (viem) install together.
# Reality: mppx 0.11.0 asks for viem 2.54.0 or later, and viem 2.57.20 for mppx 0.17.0 or later, if there is one. npm ends with ERESOLVE;
#          with viem 2.54.0 both install, so the order of releases decides. `--legacy-peer-deps` hides this conflict, and every other one.
# Hurts: agents that pay by MPP and x402 in one project, and maintainers who update viem alone there.
# Version: npm packages mppx 0.11.0, viem 2.57.20 and 2.54.0, npm 10 or later, run on 2026-11-28.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
try() {
  rm -rf node_modules package-lock.json
  echo '{"private":true}' > package.json
  if npm install --no-audit --no-fund --ignore-scripts --package-lock-only "$@" > npm.log 2>&1; then
    echo "$*: installs"
  else
    echo "$*: $(grep -o 'ERESOLVE' npm.log | head -1), $(grep -o 'peerOptional mppx@"[^"]*" from viem@[0-9.]*' npm.log | head -1)"
  fi
}
{ try mppx@0.11.0 viem@2.57.20; try mppx@0.11.0 viem@2.54.0; } > seen
cat > expected <<'SEEN'
mppx@0.11.0 viem@2.57.20: ERESOLVE, peerOptional mppx@">=0.17.0" from viem@2.57.20
mppx@0.11.0 viem@2.54.0: installs
SEEN
cat seen
diff expected seen || { echo 'The behaviour has changed.'; exit 1; }
