#!/bin/sh
# The first process of a container: does nothing until it is told to end. As the first of its PID namespace it is told of no signal
# that it does not ask for, and takes in orphans, which `wait` does.
#
# TERM is what the platform sends, minutes before KILL, when it moves or replaces a container. It is noted as the directory
# RUN_DIR/ending, which the tenant Worker sees at its next look; the Worker makes a last backup then, and ends the container. If it
# does not within ENDING_SECONDS, 600 by default, this process ends by itself. TERM again, and INT, end it at once.
#
# `idle.sh ending` begins as one that was just told by TERM.
noted="${RUN_DIR:-/workspace/run}/ending"
told=${1:-}
idle=
trap 'exit 0' INT
# It ends what is waited for, too: what comes just before the waiting would not end that.
trap 'told=ending; [ -z "$idle" ] || kill "$idle" 2>/dev/null' TERM

if [ -z "$told" ]; then
  # Of an earlier life on the same disk.
  rmdir "$noted" 2>/dev/null
  sleep infinity &
  idle=$!
  [ -n "$told" ] || wait "$idle"
  [ -n "$told" ] || exit 0
  kill "$idle" 2>/dev/null
fi

trap 'exit 0' TERM
# A link that lies there is not followed. Where nothing can be noted there is nobody to wait for.
mkdir "$noted" 2>/dev/null || [ -d "$noted" ] || exit 0
sleep "${ENDING_SECONDS:-600}" &
wait $!
