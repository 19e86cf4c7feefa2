# Enters a root file system that holds what a worker needs and nothing else, then runs the worker in it.
#
#   enter-root.sh FOLDER PATH... -- COMMAND...
#
# Runs inside new mount, process and network namespaces. FOLDER holds `root`, where the new root is built, and
# `out`, the only place where the worker can write. Each PATH is shown read-only under its own name; a missing one is
# left out. This shell stays as process 1 of the namespace: when it ends, everything in the namespace ends.
set -eu
folder=$1
shift
root=$folder/root
mount -t tmpfs -o mode=755,size=1m tmpfs "$root"
while [ "$1" != -- ]; do
  mkdir -p "$root$(dirname "$1")"
  if [ -L "$1" ]; then
    ln -s "$(readlink "$1")" "$root$1"
  elif [ -d "$1" ]; then
    mkdir -p "$root$1"
    mount --bind -o ro "$1" "$root$1"
  elif [ -e "$1" ]; then
    : >"$root$1"
    mount --bind -o ro "$1" "$root$1"
  fi
  shift
done
shift
mkdir -p "$root/proc" "$root/dev" "$root/old" "$root$folder/out"
mount -t proc -o nosuid,nodev,noexec proc "$root/proc"
for device in null zero full random urandom; do
  : >"$root/dev/$device"
  mount --bind "/dev/$device" "$root/dev/$device"
done
mount --bind "$folder/out" "$root$folder/out"
mount -o remount,bind,ro "$root"
cd "$root"
pivot_root . old
umount -l /old
cd /
"$@"
