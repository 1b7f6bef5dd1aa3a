/** A later release of the automation service may open other kinds. */
const NAMES: Readonly<Record<string, string>> = {
  backup_failing: "Backup failed",
  gateway_dead: "Gateway is dead",
  inbox_full: "Inbox is full",
  version_differs: "Unexpected version",
};

export const incidentName = (kind: string): string => {
  const words = kind.replaceAll("_", " ");
  return NAMES[kind] ?? `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
};
