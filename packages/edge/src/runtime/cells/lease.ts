import type { ScriptRecord } from "../../cloudflare/kinds/scripts/record.ts";
import type { Cell } from "./cell.ts";

/** Thrown for a script that does not exist, with Cloudflare's message. */
export class UnknownScriptError extends Error {
  override name = "UnknownScriptError";
  constructor() {
    super("Worker not found.");
  }
}

/**
 * Why a cell is needed: for a `request` of a client, for `background` work such as a cron event, which does not count as use, or for an
 * `alarm` of its Durable Objects.
 */
export type Purpose = "request" | "background" | "alarm";

/** Keeps a cell from ending as idle until its release. */
export interface Lease {
  cell: Cell;
  script: ScriptRecord;
  release(): void;
}
