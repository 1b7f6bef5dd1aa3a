/** Whose a container's processes and files are outside of it. */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";

/**
 * `range`: a range of ids of the container's own, in a user namespace, so that root inside is nobody outside. `id`: one id of its own. `edge`: the
 * edge's user.
 */
export const users = z.enum(["range", "id", "edge"]);
export type Users = z.infer<typeof users>;

/** Ids of a container. */
export const RANGE = 1_024;
/** The user of its commands inside, as `node` of the vendor's image. */
const INSIDE = 1_000;
/** Ids for containers (https://systemd.io/UIDS-GIDS). */
const FIRST = 0x8_0000;
const END = 0x7000_0000;

export const isRoot = (): boolean => process.getuid?.() === 0;

/** Returns the first id of a range that is not taken. @param name decides, so that edges of one machine rarely have the same */
export function chooseRange(name: string, taken: ReadonlySet<number>): number {
  const ranges = (END - FIRST) / RANGE;
  const start = createHash("sha256").update(name).digest().readUIntBE(0, 6) % ranges;
  for (let at = 0; at < ranges; at += 1) {
    const first = FIRST + ((start + at) % ranges) * RANGE;
    if (!taken.has(first)) return first;
  }
  throw new Error("no range of user ids is left for a container");
}

/** The user of a container's commands. */
export interface ContainerUser {
  users: Users;
  /** First id of its range; without effect for `edge`. */
  first: number;
}

/** Returns its id on the machine; `undefined` for the edge's own. */
export const outsideId = ({ users, first }: ContainerUser): number | undefined =>
  users === "edge" ? undefined : first + INSIDE;

/** Returns its id in the container. */
export const insideId = ({ users, first }: ContainerUser): number =>
  ({ range: INSIDE, id: first + INSIDE, edge: 0 })[users];

/**
 * Creates a disk, or gives all its files to another owner, as those of an earlier edge, whose containers shared one.
 *
 * @throws Error when it fails; the next call repeats it
 */
export async function ownDisk(disk: string, owner: number | undefined): Promise<void> {
  const parts = ["tmp", "workspace"].map((name) => join(disk, name));
  for (const path of parts) mkdirSync(path, { recursive: true, mode: 0o700 });
  // A directory changes after what it contains, so the last one shows that all have.
  if (owner === undefined || statSync(join(disk, "workspace")).uid === owner) return;
  const child = spawn("chown", ["-Rh", `${owner}:${owner}`, ...parts], { stdio: "ignore" });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`changing the owner of ${disk} failed: exit code ${code}`);
}
