/**
 * Keeps a stack's state as it is before a run changes it. The engine keeps a copy after each run that ended, which is the state before the
 * next one, and none of what a killed run left or a command such as `pulumi state delete` changed: that is what is kept here.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { PROJECT } from "../project-name.ts";
import { locksOf } from "./recovery.ts";

/**
 * Copies a state in a directory to where the engine keeps its copies, unless the newest of them is the same. Nothing is copied of
 * a stack that is locked, and of other backends, which have what the engine keeps.
 *
 * @param backend URL @param stack of this project, which need not exist
 */
export function keepState(backend: string, stack: string): void {
  if (!backend.startsWith("file://")) return;
  const base = join(fileURLToPath(backend), ".pulumi");
  const file = join(base, "stacks", PROJECT, `${stack}.json`);
  // While another run has it, it is that run's to change.
  if (!existsSync(file) || locksOf(backend, stack).length > 0) return;
  const state = readFileSync(file);
  const kept = join(base, "backups", PROJECT, stack);
  mkdirSync(kept, { recursive: true, mode: 0o700 });
  const newest = readdirSync(kept)
    .filter((name) => name.endsWith(".json"))
    .toSorted()
    .at(-1);
  if (newest !== undefined && readFileSync(join(kept, newest)).equals(state)) return;
  // Called as the engine calls its own: by nanoseconds since the epoch, so that all are in order.
  const at = BigInt(Date.now()) * 1_000_000n + (process.hrtime.bigint() % 1_000_000n);
  writeFileSync(join(kept, `${stack}.${at}.json`), state, { mode: 0o600, flag: "wx" });
}
