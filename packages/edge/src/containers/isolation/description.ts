import type { NetworkIsolation } from "../network/probe.ts";
import type { Controller } from "./cgroups.ts";
import type { Confinement } from "./confinement.ts";

const LIMITS: Readonly<Record<Controller, string>> = { memory: "memory", pids: "number of processes", cpu: "CPU" };

const list = (parts: readonly string[]): string => new Intl.ListFormat("en", { type: "conjunction" }).format(parts);

/** States for users in one line what is not isolated. */
export function describeIsolation(
  confinement: Confinement,
  limited: readonly Controller[],
  network: NetworkIsolation,
): string {
  if (confinement.kind === "none")
    return `Containers are not confined: ${confinement.reason}. They run as your plain processes.`;
  const unlimited = Object.entries(LIMITS).flatMap(([name, text]) =>
    limited.some((one) => one === name) ? [] : [text],
  );
  const missing = [
    ...(network.kind === "own"
      ? []
      : [`they share the machine's network${network.reason === undefined ? "" : ` (${network.reason})`}`]),
    `${list([...unlimited, "disk space"])} ${unlimited.length > 0 ? "are" : "is"} not limited`,
    ...{ range: [], id: ["they have no user namespace"], edge: ["they share your user id"] }[confinement.users],
    ...(confinement.filter ? [] : ["system calls are not filtered, which needs Perl"]),
  ];
  return `Each container runs in its own namespaces. Not isolated: ${missing.join("; ")}.`;
}
