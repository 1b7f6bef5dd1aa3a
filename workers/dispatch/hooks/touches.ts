import { BoundedMap } from "@tenantry/std/bounded-map";
import { log, reasonOf } from "#workers/shared/log.ts";
import type { KeepAlive } from "#workers/shared/single-flight.ts";
import type { Database } from "../tenants/database.ts";

const INTERVAL_MS = 60_000;
const MAX_DOORS = 5_000;

/** Records when doors were last used, at most once a minute in each isolate. */
export class Touches {
  readonly #database: Database;
  readonly #touchedAt = new BoundedMap<string, number>(MAX_DOORS);

  constructor(database: Database) {
    this.#database = database;
  }

  touch(door: string, keepAlive: KeepAlive): void {
    const now = Date.now();
    if (now - (this.#touchedAt.get(door) ?? Number.NEGATIVE_INFINITY) < INTERVAL_MS) return;
    this.#touchedAt.set(door, now);
    const touching = this.#database.touchDoor(door);
    keepAlive(touching.catch((error: unknown) => log("warn", "door-touch.failed", { door, reason: reasonOf(error) })));
  }
}
