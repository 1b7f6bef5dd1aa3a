#!/bin/sh
# Starts workerd so that a Ctrl-C does not reach it and it ends with the process that started it, however that ends.
# exec keeps the process id, which the runtime reads from the file.
echo $$ > "$TENANTRY_PID_FILE"
if command -v setpriv >/dev/null 2>&1 && command -v setsid >/dev/null 2>&1; then
  exec setsid setpriv --pdeathsig KILL "$TENANTRY_WORKERD" "$@"
fi
exec "$TENANTRY_WORKERD" "$@"
