import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import type { ScriptRecord } from "../../cloudflare/kinds/scripts/record.ts";
import type { ProcessOptions } from "../workerd/process-options.ts";
import { CoreProcess } from "./core-process.ts";

/** Starts each script alone, with storage of its own. @returns the errors of those that do not start, by name */
export async function findFaulty(scripts: ScriptRecord[], o: ProcessOptions): Promise<Map<string, Error>> {
  const faults = new Map<string, Error>();
  const directory = await mkdtemp(join(o.scratch.directory, "trial-"));
  try {
    for (const script of scripts) {
      try {
        const started = await CoreProcess.start([script], { ...o, directory });
        await started.stop("nothing");
      } catch (error) {
        faults.set(script.name, error instanceof Error ? error : new Error(String(error)));
      }
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
  return faults;
}
