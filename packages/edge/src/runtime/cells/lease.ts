import type { ScriptRecord } from "../../cloudflare/kinds/scripts/record.ts";
import type { Cell } from "./cell.ts";

/** Thrown for a script that the namespace does not have, with Cloudflare's message. */
export class UnknownScriptError extends Error {
  override name = "UnknownScriptError";
  constructor() {
    super("Worker not found.");
  }
}

/**
 * Why a cell is wanted: a `request` that a client waits for, `background` work of the platform, such as a cron tick, which does not count
 * as use, or an `alarm` of the cell's own Durable Objects.
 */
export type Errand = "request" | "background" | "alarm";

/** A cell that does not end as idle before its release. */
export interface Lease {
  cell: Cell;
  script: ScriptRecord;
  release(): void;
}
