import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { PROJECT } from "../project-name.ts";
import { locksOf } from "./recovery.ts";

/** Backs up an unlocked state in a file backend if it changed. The engine makes no backup after a killed run or `pulumi state delete`. */
export function keepState(backend: string, stack: string): void {
  if (!backend.startsWith("file://")) return;
  const base = join(fileURLToPath(backend), ".pulumi");
  const file = join(base, "stacks", PROJECT, `${stack}.json`);
  if (!existsSync(file) || locksOf(backend, stack).length > 0) return;
  const state = readFileSync(file);
  const kept = join(base, "backups", PROJECT, stack);
  mkdirSync(kept, { recursive: true, mode: 0o700 });
  const newest = readdirSync(kept)
    .filter((name) => name.endsWith(".json"))
    .toSorted()
    .at(-1);
  if (newest !== undefined && readFileSync(join(kept, newest)).equals(state)) return;
  // Named like the engine's backups, by nanoseconds since the epoch.
  const at = BigInt(Date.now()) * 1_000_000n + (process.hrtime.bigint() % 1_000_000n);
  writeFileSync(join(kept, `${stack}.${at}.json`), state, { mode: 0o600, flag: "wx" });
}
