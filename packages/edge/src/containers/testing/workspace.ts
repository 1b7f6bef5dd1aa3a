import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { ScriptName } from "../names.ts";

/** Where the one container of a script has what it writes. @param directory the engine's */
export function workspaceOf(directory: string, { namespace, name }: ScriptName): string {
  const containers = join(directory, namespace, name);
  const [id] = existsSync(containers) ? readdirSync(containers).filter((one) => /^[0-9a-f]{64}$/.test(one)) : [];
  // Until there is one, nothing lies there.
  return join(containers, id ?? "none", "disk/workspace");
}
