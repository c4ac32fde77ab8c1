#!/bin/sh
# Install the wheel that fits this machine, and play from it: scripts/try_wheel.sh PYTHON DIST LOCK
# The installer chooses it by its tag, as from an index. Its core has to work here.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$1" -m venv "$folder/env"
inside="$folder/env/bin"
"$inside/pip" install --quiet --disable-pip-version-check --require-hashes -r "$3"
"$inside/pip" install --quiet --disable-pip-version-check --no-deps --no-index --pre --only-binary :all: \
    --find-links "$2" kalooki-tui
dist=$(cd "$2" && pwd)
cd "$folder"
export KALOOKI_HOME="$folder/home"
"$inside/kalooki" doctor --json > doctor.json
"$inside/python" -c 'import json; core = json.load(open("doctor.json"))["native core"]; print(core); assert core["works"] == "yes"'
"$inside/kalooki" watch --ruleset baby --seed 3 < /dev/null | tail -n 1
"$inside/kalooki" sim --ruleset baby --matches 3 --seat ai:master/quick --seat ai:club --seat ai:club > sim.txt
"$inside/kalooki" example match.jsonl > /dev/null
"$inside/kalooki" verify match.jsonl
echo "played from $dist"
