/** Records of containers, in their directories `{namespace}/{script}/{id}`. */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { containerSize } from "./isolation/cgroups.ts";

const record = z.object({
  name: z.string(),
  image: z.string(),
  /** Version of the application at creation; 0 when unknown, as of an earlier edge. */
  version: z.number().default(0),
  env: z.record(z.string(), z.string()),
  /** Variables of the image at creation; absent for an unknown image. */
  imageEnv: z.record(z.string(), z.string()).optional(),
  /** Main program, from `container.start({ entrypoint })`. Default: none; the container idles. */
  command: z.array(z.string()).optional(),
  /** Whether it may reach the internet. Default: as in an earlier edge. */
  internet: z.boolean().default(true),
  /** Of its instance type; absent when unknown, as of an earlier edge. */
  size: containerSize.exactOptional(),
  /** First user id of its range; absent before its first start, and for containers of an earlier edge. */
  firstId: z.number().exactOptional(),
  /** Whether it ran when the record was written. */
  running: z.boolean(),
});
export type ContainerRecord = z.infer<typeof record>;

const RECORD = "container.json";
const REMOVED = ".removed";

/** Returns the record in a container's directory. */
export function readRecord(directory: string): ContainerRecord | undefined {
  try {
    return record.parse(JSON.parse(readFileSync(join(directory, RECORD), "utf8")));
  } catch {
    return undefined;
  }
}

export function writeRecord(directory: string, written: ContainerRecord): void {
  const path = join(directory, RECORD);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  writeFileSync(`${path}.new`, JSON.stringify(written), { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

/** Removes a container's directory. A partly removed one is never visible. */
export function removeDirectory(directory: string): void {
  const removed = directory + REMOVED;
  rmSync(removed, { recursive: true, force: true });
  try {
    renameSync(directory, removed);
  } catch {
    // It never ran.
  }
  rmSync(removed, { recursive: true, force: true });
}

/** Returns the directories of all containers. @param directory of the engine */
function directoriesOf(directory: string): string[] {
  const below = (path: string) =>
    readdirSync(path, { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() && !entry.name.startsWith(".") ? [join(path, entry.name)] : [],
    );
  return below(directory).flatMap(below).flatMap(below);
}

/** Returns the records of all containers of an engine. @param directory of the engine */
export const recordsOf = (directory: string): ContainerRecord[] =>
  directoriesOf(directory).flatMap((path) => readRecord(path) ?? []);

/** Removes what an edge left that was killed while it removed a container. @param directory of the engine */
export function removeLeftovers(directory: string): void {
  for (const path of directoriesOf(directory))
    if (path.endsWith(REMOVED)) rmSync(path, { recursive: true, force: true });
}
