#!/bin/sh
# The first process of a container: does nothing until it is told to end, and then at once. As the first of its PID namespace it
# is told of no signal that it does not ask for, and takes in orphans, which `wait` does.
trap 'exit 0' TERM INT
sleep infinity &
wait $!
