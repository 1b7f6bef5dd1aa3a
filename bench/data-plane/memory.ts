/** Memory a running tenant takes: its workerd and its gateway. */
import { readFileSync } from "node:fs";
import { quantile } from "../measure.ts";
import { printFigures } from "../report.ts";
import type { Platform } from "./platform.ts";

interface Memory {
  /** Kilobytes resident, pages shared with other processes counted in full. */
  resident: number;
  /** Kilobytes resident, each shared page divided by those who share it. */
  proportional: number;
}

export async function memory({ tenants, processes }: Platform): Promise<void> {
  const found = tenants.map((slug) => processes(slug));
  const workerd = found.map(({ workerd }) => memoryOf(workerd));
  const gateway = found.map(({ gateway }) => memoryOf(gateway));
  const both = found.map((_, i) => sum(workerd[i], gateway[i]));
  printFigures(`memory a tenant, median of ${tenants.length}`, [
    ["workerd", describe(workerd)],
    ["reference gateway", describe(gateway)],
    ["both", describe(both)],
  ]);
}

function memoryOf(pid: number): Memory {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
  const field = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(text)?.[1]);
  return { resident: field("Rss"), proportional: field("Pss") };
}

function sum(...parts: (Memory | undefined)[]): Memory {
  const of = (name: keyof Memory) => parts.reduce((total, part) => total + (part?.[name] ?? 0), 0);
  return { resident: of("resident"), proportional: of("proportional") };
}

function describe(values: Memory[]): string {
  const median = (name: keyof Memory) =>
    quantile(
      values.map((value) => value[name] / 1024),
      0.5,
    ).toFixed(0);
  return `${median("resident")} MB resident, ${median("proportional")} MB with shared pages divided`;
}
