/** The Worker that stands before a script that has files. */
export function gateName(script: { name: string }): string {
  return `tenantry-gate-${script.name}`;
}
