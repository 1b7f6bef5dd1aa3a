import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { ScriptName } from "../names.ts";

/** Returns the workspace of the only container of a script. @param directory of the engine */
export function workspaceOf(directory: string, { namespace, name }: ScriptName): string {
  const containers = join(directory, namespace, name);
  const [id] = existsSync(containers) ? readdirSync(containers).filter((one) => /^[0-9a-f]{64}$/.test(one)) : [];
  // Before the container exists, the path does not exist.
  return join(containers, id ?? "none", "disk/workspace");
}
