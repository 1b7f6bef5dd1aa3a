import { existsSync, globSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { FIRST_MARKER, findProcesses } from "../isolation/processes.ts";
import { engineMark, type ScriptName } from "../names.ts";
import { readRecord } from "../records.ts";

/** Returns the workspace in a container's directory; `undefined` while it is an image that is not mounted. */
function workspaceIn(directory: string, home: string): string | undefined {
  if (!existsSync(join(home, "disk.ext4"))) return join(home, "disk/workspace");
  const marker = `${engineMark(realpathSync(directory))}/${readRecord(home)?.name}`;
  const first = findProcesses(marker, [FIRST_MARKER]).find(({ ownPid }) => ownPid === 1);
  return first && `/proc/${first.pid}/root/workspace`;
}

const homesOf = (directory: string, namespace: string, name: string): string[] =>
  globSync(`${namespace}/${name}/*`, { cwd: directory }).flatMap((path) =>
    /\/[0-9a-f]{64}$/.test(path) ? [join(directory, path)] : [],
  );

/** Returns the workspaces of all containers that this machine's programs can read. @param directory of the engine */
export const workspacesOf = (directory: string): string[] =>
  homesOf(directory, "*", "*").flatMap((home) => workspaceIn(directory, home) ?? []);

/** Returns the workspace of the only container of a script. @param directory of the engine */
export function workspaceOf(directory: string, { namespace, name }: ScriptName): string {
  const [home] = homesOf(directory, namespace, name);
  // Before the container exists, the path does not exist.
  return (home && workspaceIn(directory, home)) ?? join(directory, namespace, name, "none");
}
