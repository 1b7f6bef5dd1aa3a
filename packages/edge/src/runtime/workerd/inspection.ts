/** Which Worker a debugger may attach to: `EDGE_INSPECT=SCRIPT` or `EDGE_INSPECT=SCRIPT:PORT`. */
const DEFAULT_PORT = 9229;

/**
 * @param workers names of the Workers of one workerd
 * @param wanted default: the variable `EDGE_INSPECT`
 * @returns port of the inspector, on 127.0.0.1; `undefined` where none of them is wanted
 */
export function inspectorPort(workers: readonly string[], wanted = process.env.EDGE_INSPECT): number | undefined {
  const [script = "", port = String(DEFAULT_PORT)] = (wanted ?? "").split(":");
  return workers.includes(script) ? Number(port) : undefined;
}
