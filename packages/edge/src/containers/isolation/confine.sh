#!/bin/sh
# Builds the root of a confined container in new mount, IPC and PID namespaces, which `unshare` creates, and becomes its first process:
#
#   confine.sh ROOT DISK IMAGE OPTIONS SCRIPTS SCRIPTS_AT ETC ID [VISIBLE…] -- COMMAND…
#
# ROOT is an empty directory that becomes the root. DISK has what the container writes, in `workspace` and `tmp`. IMAGE, if not empty, is a file
# system to mount there with OPTIONS; it ends with this namespace, and so does its loop device. SCRIPTS are the image's, visible at SCRIPTS_AT.
# Files of the directory ETC, if not empty, replace those of /etc. ID is the user inside. VISIBLE are further paths to read. The rest of the
# machine is invisible, except for the system's programs and libraries. COMMAND gives up all rights, see `init.sh`.
#
# Prints its process id on the machine.
set -eu
umask 022

# This is still the machine's /proc. The container does not know this id.
read -r pid _ < /proc/self/stat
echo "$pid"

root=$1 disk=$2 disk_image=$3 disk_options=$4 scripts=$5 scripts_at=$6 own_etc=$7 id=$8
shift 8

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
  for name in hosts resolv.conf nsswitch.conf localtime timezone host.conf gai.conf ld.so.cache ld.so.conf; do
    if [ -e "/etc/$name" ]; then files="${files:-} /etc/$name"; fi
  done
  for name in ld.so.conf.d ssl pki ca-certificates alternatives; do
    if [ -d "/etc/$name" ]; then echo "/etc/$name etc/$name none $read 0 0"; fi
  done
  for name in null zero full random urandom; do
    : > "dev/$name"
    echo "/dev/$name dev/$name none bind 0 0"
  done
  # The size is Docker's default.
  echo "tmpfs dev/shm tmpfs mode=1777,size=64m,nosuid,nodev,X-mount.mkdir 0 0"
  echo "proc proc proc nosuid,nodev,noexec,X-mount.mkdir 0 0"
} > etc/fstab
# Without the machine's users.
printf '%s\n' "root:x:0:0::/root:/bin/sh" "node:x:$id:$id::/workspace:/bin/sh" "nobody:x:65534:65534::/:/bin/false" > etc/passwd
printf '%s\n' "root:x:0:" "node:x:$id:" "nogroup:x:65534:" > etc/group
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
if [ -n "$disk_image" ]; then mount -t ext4 -o "$disk_options" "$disk_image" "$disk"; fi
mount -o bind,nosuid,nodev,X-mount.mkdir "$disk/workspace" "$root/workspace"
mount -o bind,nosuid,nodev,X-mount.mkdir "$disk/tmp" "$root/tmp"
# After the container's own mounts, because they may be below its /tmp.
while [ "$1" != -- ]; do
  if [ -e "$1" ]; then show "$1" "$root$1"; fi
  shift
done
shift

pivot_root . .machine
cd /workspace
umount -l /.machine
rmdir /.machine
mount -o remount,bind,ro /
# Names a directory of the machine.
unset OLDPWD
exec "$@"
