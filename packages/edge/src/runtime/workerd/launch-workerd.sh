#!/bin/sh
# Starts workerd in its own session, out of reach of Ctrl-C. On Linux it ends when its parent ends. exec keeps the process id.
echo $$ > "$EDGE_PID_FILE"
if command -v setpriv >/dev/null 2>&1 && command -v setsid >/dev/null 2>&1; then
  exec setsid setpriv --pdeathsig KILL "$EDGE_WORKERD" "$@"
fi
exec "$EDGE_WORKERD" "$@"
