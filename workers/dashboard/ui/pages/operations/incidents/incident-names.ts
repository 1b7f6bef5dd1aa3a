/** Incidents in words. A later release of the automation service may open others. */
const NAMES: Readonly<Record<string, string>> = {
  gateway_dead: "Gateway is dead",
  version_differs: "Runs another version",
};

export const incidentName = (kind: string): string => {
  const words = kind.replaceAll("_", " ");
  return NAMES[kind] ?? `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
};
