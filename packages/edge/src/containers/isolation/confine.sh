#!/bin/sh
# The first process of a confined container, which `unshare` starts in new mount, IPC and PID namespaces:
#
#   confine.sh ROOT DISK SCRIPTS SCRIPTS_AT ON_START ON_TERMINATE ETC [VISIBLE…]
#
# ROOT is an empty directory that becomes the root. DISK has what the container writes, in `workspace` and `tmp`. SCRIPTS are the image's,
# visible at SCRIPTS_AT. ON_START runs first. This process executes ON_TERMINATE on SIGTERM. Files of the directory ETC, if not empty, replace
# those of /etc. VISIBLE are further paths to read. The rest of the machine is invisible, except for the system's programs and libraries.
#
# Prints its process id on the machine, then READY. Ends when the edge closes the third descriptor, also when the edge is killed.
set -eu
umask 022

# This is still the machine's /proc. The container does not know this id.
read -r pid _ < /proc/self/stat
echo "$pid"

root=$1 disk=$2 scripts=$3 scripts_at=$4 on_start=$5 on_terminate=$6 own_etc=$7
shift 7

# Read-only. In a user namespace a bind mount may add flags but not remove those of its source.
read=rbind,ro,nosuid,nodev,X-mount.mkdir
show() {
  if [ ! -d "$1" ]; then mkdir -p "$(dirname "$2")"; [ -e "$2" ] || : > "$2"; fi
  mount -o "$read" "$1" "$2"
}

mount -t tmpfs -o mode=755,size=16m tmpfs "$root"
cd "$root"
mkdir dev etc var run .machine

# One process for all mounts: one for each would take most of a container's start.
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
# No name has spaces.
if [ -n "${links:-}" ]; then cp -P $links .; fi
if [ -n "${files:-}" ]; then cp -L $files etc; fi
if [ -n "$own_etc" ]; then
  cp -R "$own_etc/." etc
  # Its files may change while the container runs.
  mount -o "$read" "$own_etc/cloudflare" etc/cloudflare
fi
ln -s /proc/self/fd dev/fd
mount -a -T etc/fstab

show "$scripts" "$root$scripts_at"
mount -o bind,X-mount.mkdir "$disk/workspace" "$root/workspace"
mount -o bind,X-mount.mkdir "$disk/tmp" "$root/tmp"
# After the container's own mounts, because they may be below its /tmp.
for path in "$@"; do
  if [ -e "$path" ]; then show "$path" "$root$path"; fi
done

pivot_root . .machine
cd /workspace
umount -l /.machine
rmdir /.machine
mount -o remount,bind,ro /

# Sends INT to the first process when the edge has ended, until it has installed its trap.
(cat >/dev/null; while kill -s INT 1; do sleep 0.1; done) <&3 &
edge=$!
trap 'exit 0' INT
# As the image's own first process would do.
trap "exec $on_terminate" TERM
sh -c "$on_start" >/dev/null 2>&1 || true
echo READY
exec >/dev/null 2>&1 3<&-
# `wait` also reaps orphans, which is the task of the first process of a PID namespace.
wait "$edge"
