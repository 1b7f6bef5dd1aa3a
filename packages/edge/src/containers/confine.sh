#!/bin/sh
# The first process of a confined container, started by `unshare` in mount, IPC and PID namespaces of its own:
#
#   confine.sh ROOT DISK SCRIPTS SCRIPTS_AT ON_START ON_TERMINATE [VISIBLE…]
#
# ROOT is an empty directory that becomes the container's root; DISK holds what the container writes, in `workspace` and `tmp`;
# SCRIPTS are the image's own, which it finds at SCRIPTS_AT. ON_START is run before anything else,
# ON_TERMINATE is what this process becomes when it is told to end. VISIBLE are further paths that may be read at the places where they lie. Of the machine it keeps
# the system's programs and libraries to read, and nothing else.
#
# Prints its process number as the machine sees it, then READY. Lives until its third descriptor is closed, which the
# edge holds: so a killed edge takes its containers along.
set -eu
umask 022

# Still the machine's /proc: afterwards nobody inside knows this number.
read -r pid _ < /proc/self/stat
echo "$pid"

root=$1 disk=$2 scripts=$3 scripts_at=$4 on_start=$5 on_terminate=$6
shift 6

# To read, and no more. In a user namespace the flags of the mount that a bind is made of may not be taken off, but these may be added.
read=rbind,ro,nosuid,nodev,X-mount.mkdir
show() {
  if [ ! -d "$1" ]; then mkdir -p "$(dirname "$2")"; [ -e "$2" ] || : > "$2"; fi
  mount -o "$read" "$1" "$2"
}

mount -t tmpfs -o mode=755,size=16m tmpfs "$root"
cd "$root"
mkdir dev etc var run .machine

# Each mount of its own process would take most of a container's start.
{
  for name in usr bin sbin lib lib32 lib64 libx32; do
    if [ -L "/$name" ]; then links="${links:-} /$name"
    elif [ -d "/$name" ]; then echo "/$name $name none $read 0 0"
    fi
  done
  for name in passwd group hosts resolv.conf nsswitch.conf localtime timezone host.conf gai.conf ld.so.cache ld.so.conf; do
    if [ -e "/etc/$name" ]; then files="${files:-} /etc/$name"; fi
  done
  for name in ld.so.conf.d ssl pki ca-certificates alternatives; do
    if [ -d "/etc/$name" ]; then echo "/etc/$name etc/$name none $read 0 0"; fi
  done
  for name in null zero full random urandom; do
    : > "dev/$name"
    echo "/dev/$name dev/$name none bind 0 0"
  done
  echo "tmpfs dev/shm tmpfs mode=1777,nosuid,nodev,X-mount.mkdir 0 0"
  echo "proc proc proc nosuid,nodev,noexec,X-mount.mkdir 0 0"
} > etc/fstab
# Their names are all without blanks.
if [ -n "${links:-}" ]; then cp -P $links .; fi
if [ -n "${files:-}" ]; then cp -L $files etc; fi
ln -s /proc/self/fd dev/fd
mount -a -T etc/fstab

show "$scripts" "$root$scripts_at"
mount -o bind,X-mount.mkdir "$disk/workspace" "$root/workspace"
mount -o bind,X-mount.mkdir "$disk/tmp" "$root/tmp"
# After what is the container's own, since they may lie below its /tmp.
for path in "$@"; do
  if [ -e "$path" ]; then show "$path" "$root$path"; fi
done

pivot_root . .machine
cd /workspace
umount -l /.machine
rmdir /.machine
mount -o remount,bind,ro /

# Told by INT whoever is the first process when the edge is gone: before it asks for that signal it would not hear of it.
(cat >/dev/null; while kill -s INT 1; do sleep 0.1; done) <&3 &
edge=$!
trap 'exit 0' INT
# From then on it does as the image's own first process does, which the edge itself never tells to end in this way.
trap "exec $on_terminate" TERM
sh -c "$on_start" >/dev/null 2>&1 || true
echo READY
exec >/dev/null 2>&1 3<&-
# `wait` also takes in orphans, as the first process of a PID namespace must.
wait "$edge"
