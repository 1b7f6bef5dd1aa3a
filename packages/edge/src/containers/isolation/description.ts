import type { NetworkIsolation } from "../network/probe.ts";
import type { Controller } from "./cgroups.ts";
import type { Confinement } from "./confinement.ts";
import type { Disks } from "./disks.ts";

const LIMITS: Readonly<Record<Controller, string>> = { memory: "memory", pids: "number of processes", cpu: "CPU" };

const list = (parts: readonly string[]): string => new Intl.ListFormat("en", { type: "conjunction" }).format(parts);

/** States what has no limit. @param disks why disks have none. Undefined: they have one */
export const describeUnlimited = (unlimited: readonly string[], disks: string | undefined): string[] => [
  ...(unlimited.length === 0 ? [] : [`${list(unlimited)} ${unlimited.length > 1 ? "are" : "is"} not limited`]),
  ...(disks === undefined ? [] : [`disk space is not limited (${disks})`]),
];

interface Isolation {
  confinement: Confinement;
  limited: readonly Controller[];
  network: NetworkIsolation;
  disks: Disks;
}

/** States for users in one line what is not isolated. */
export function describeIsolation({ confinement, limited, network, disks }: Isolation): string {
  if (confinement.kind === "none")
    return `Containers are not confined: ${confinement.reason}. They run as your plain processes.`;
  const unlimited = Object.entries(LIMITS).flatMap(([name, text]) =>
    limited.some((one) => one === name) ? [] : [text],
  );
  const missing = [
    ...(network.kind === "own"
      ? []
      : [`they share the machine's network${network.reason === undefined ? "" : ` (${network.reason})`}`]),
    ...describeUnlimited(unlimited, disks.kind === "images" ? undefined : disks.reason),
    ...{ range: [], id: ["they have no user namespace"], edge: ["they share your user id"] }[confinement.users],
    ...(confinement.filter ? [] : ["system calls are not filtered, which needs Perl"]),
  ];
  const isolated = "Each container runs in its own namespaces";
  return missing.length === 0
    ? `${isolated}, with limits of memory, processes, CPU and disk space.`
    : `${isolated}. Not isolated: ${missing.join("; ")}.`;
}
