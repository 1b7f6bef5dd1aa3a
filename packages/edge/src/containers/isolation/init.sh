# The first process of a confined container, as its user and without rights: `sh -c INIT sh ON_START ON_TERMINATE [FOLDER…]`. Creates the
# folders, then runs ON_START. Executes ON_TERMINATE on SIGTERM. Prints READY. Ends when the edge closes the third descriptor, also when the edge is killed.

# Sends INT to the first process when the edge has ended, until it has installed its trap.
(cat >/dev/null; while kill -s INT 1; do sleep 0.1; done) <&3 &
edge=$!
trap 'exit 0' INT
# As the image's own first process would do.
trap "exec $2" TERM
on_start=$1
shift 2
for folder; do
  if [ ! -e "$folder" ]; then mkdir -m 700 "$folder" || true; fi
done 2>/dev/null
sh -c "$on_start" >/dev/null 2>&1 || true
echo READY
exec </dev/null >/dev/null 2>&1 3<&-
# `wait` also reaps orphans, which is the task of the first process of a PID namespace.
wait "$edge"
