const DEFAULT_PORT = 9229;

/**
 * Returns the inspector's port on 127.0.0.1 when one of the Workers is the one to debug.
 *
 * @param wanted `SCRIPT` or `SCRIPT:PORT`. Default: the variable `EDGE_INSPECT`
 */
export function inspectorPort(workers: readonly string[], wanted = process.env.EDGE_INSPECT): number | undefined {
  const [script = "", port = String(DEFAULT_PORT)] = (wanted ?? "").split(":");
  return workers.includes(script) ? Number(port) : undefined;
}
