#!/bin/sh
# The first process of a confined container, started by `unshare` in mount, IPC and PID namespaces of its own:
#
#   confine.sh ROOT DISK SCRIPTS [VISIBLE…]
#
# ROOT is an empty directory that becomes the container's root; DISK holds what the container writes, in `workspace` and `tmp`;
# SCRIPTS are the image's own; VISIBLE are further paths that may be read at the places where they lie. Of the machine it keeps
# the system's programs and libraries to read, and nothing else.
#
# Prints its process number as the machine sees it, then READY. Lives until its third descriptor is closed, which the
# edge holds: so a killed edge takes its containers along.
set -eu
umask 022

# Still the machine's /proc: afterwards nobody inside knows this number.
read -r pid _ < /proc/self/stat
echo "$pid"

root=$1 disk=$2 scripts=$3
shift 3

# Flags of the mount that a bind is made of may not be taken off in a user namespace, so they are repeated.
readonly_again() {
  mount -o remount,bind,ro,nosuid "$1" 2>/dev/null || mount -o remount,bind,ro,nosuid,nodev "$1"
}
show() {
  if [ -d "$1" ]; then mkdir -p "$2"; else mkdir -p "$(dirname "$2")"; [ -e "$2" ] || : > "$2"; fi
  mount --rbind "$1" "$2"
  readonly_again "$2"
}
write() {
  mkdir "$2"
  mount --bind "$1" "$2"
}

mount --make-rprivate /
mount -t tmpfs -o mode=755,size=16m tmpfs "$root"
mkdir "$root/proc" "$root/dev" "$root/etc" "$root/var" "$root/run"

for name in usr bin sbin lib lib32 lib64 libx32; do
  if [ -L "/$name" ]; then ln -s "$(readlink "/$name")" "$root/$name"
  elif [ -d "/$name" ]; then show "/$name" "$root/$name"
  fi
done
for name in passwd group hosts resolv.conf nsswitch.conf localtime timezone host.conf gai.conf ld.so.cache ld.so.conf; do
  if [ -e "/etc/$name" ]; then cp -L "/etc/$name" "$root/etc/$name"; fi
done
for name in ld.so.conf.d ssl pki ca-certificates alternatives; do
  if [ -d "/etc/$name" ]; then show "/etc/$name" "$root/etc/$name"; fi
done
for name in null zero full random urandom; do
  : > "$root/dev/$name"
  mount --bind "/dev/$name" "$root/dev/$name"
done
ln -s /proc/self/fd "$root/dev/fd"
mkdir "$root/dev/shm"
mount -t tmpfs -o mode=1777,nosuid,nodev tmpfs "$root/dev/shm"
mount -t proc -o nosuid,nodev,noexec proc "$root/proc"

show "$scripts" "$root/opt/tenantry"
write "$disk/workspace" "$root/workspace"
write "$disk/tmp" "$root/tmp"
# After what is the container's own, since they may lie below its /tmp.
for path in "$@"; do
  if [ -e "$path" ]; then show "$path" "$root$path"; fi
done

mkdir "$root/.machine"
cd "$root"
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
trap 'exec sh /opt/tenantry/idle.sh ending' TERM
# Of an earlier life on the same disk.
rmdir /workspace/run/ending 2>/dev/null || true
echo READY
exec >/dev/null 2>&1 3<&-
# `wait` also takes in orphans, as the first process of a PID namespace must.
wait "$edge"
