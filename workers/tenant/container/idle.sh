#!/bin/sh
# The first process of a container: waits until the container is to end. As the first process of its PID namespace, it receives only
# signals that it traps, and adopts orphans, which `wait` reaps.
#
# The platform sends TERM, minutes before KILL, when it moves or replaces a container. This creates the directory RUN_DIR/ending. The
# tenant Worker's next health check finds it, makes a last backup and ends the container. Otherwise this process ends after
# ENDING_SECONDS, 600 by default. Another TERM changes nothing: a container that is moved can also be part of a rollout. INT ends it
# immediately.
#
# `idle.sh ending` starts as if TERM had been received.
marker="${RUN_DIR:-/workspace/run}/ending"
ending=${1:-}
idle=
trap 'exit 0' INT
# Ends the sleep, too: a signal just before `wait` would not interrupt it.
trap 'ending=ending; [ -z "$idle" ] || kill "$idle" 2>/dev/null' TERM

if [ -z "$ending" ]; then
  # From an earlier container on the same disk.
  rmdir "$marker" 2>/dev/null
  sleep infinity &
  idle=$!
  [ -n "$ending" ] || wait "$idle"
  [ -n "$ending" ] || exit 0
  kill "$idle" 2>/dev/null
fi

trap : TERM
# Does not follow a link. If the directory cannot be created, nothing would end the container, so this process ends.
mkdir "$marker" 2>/dev/null || [ -d "$marker" ] || exit 0
sleep "${ENDING_SECONDS:-600}" &
idle=$!
# A signal interrupts `wait`.
while kill -0 "$idle" 2>/dev/null; do wait "$idle"; done
