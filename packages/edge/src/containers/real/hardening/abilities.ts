/** What a container engine can limit on its machine. */
import * as z from "zod";
import { describeUnlimited } from "../../isolation/description.ts";
import type { RealEngineClient } from "../client.ts";

const info = z.looseObject({
  MemoryLimit: z.boolean().optional(),
  SwapLimit: z.boolean().optional(),
  CpuCfsQuota: z.boolean().optional(),
  CPUShares: z.boolean().optional(),
  PidsLimit: z.boolean().optional(),
  SecurityOptions: z.array(z.string()).nullish(),
});

export interface Abilities {
  memory: boolean;
  swap: boolean;
  cpu: boolean;
  pids: boolean;
  /** Whether system calls are filtered by default. */
  filter: boolean;
  /** Whether root in a container is another user of the machine. */
  users: boolean;
}

/** @throws Error when the engine does not describe itself */
export async function abilitiesOf(client: RealEngineClient): Promise<Abilities> {
  const { text } = await client.expect([200], "GET", "/info");
  const { MemoryLimit, SwapLimit, CpuCfsQuota, CPUShares, PidsLimit, SecurityOptions } = info.parse(JSON.parse(text));
  const options = (SecurityOptions ?? []).map((option) => option.split(",").map((part) => part.trim()));
  const seccomp = options.find(([name]) => name === "name=seccomp");
  return {
    memory: MemoryLimit === true,
    swap: SwapLimit === true,
    cpu: CpuCfsQuota === true && CPUShares === true,
    pids: PidsLimit === true,
    filter: seccomp !== undefined && !seccomp.includes("profile=unconfined"),
    users: options.some(([name]) => name === "name=rootless" || name === "name=userns"),
  };
}

/** States for users in one line what is not isolated. @param engine its name and version @param disks why they have no limit */
export function describeEngine(
  engine: string,
  { memory, cpu, pids, filter, users }: Abilities,
  disks: string | undefined,
): string {
  const unlimited = Object.entries({ memory, "number of processes": pids, CPU: cpu }).flatMap(([name, limited]) =>
    limited ? [] : [name],
  );
  const missing = [
    ...describeUnlimited(unlimited, disks),
    ...(users ? [] : ["they have no user namespace"]),
    ...(filter ? [] : ["system calls are not filtered"]),
  ];
  return `Each container runs in ${engine}${missing.length === 0 ? "" : `. Not isolated: ${missing.join("; ")}`}.`;
}
