import { BoundedMap } from "@tenantry/std/bounded-map";
import type { RecordedRefusal } from "#domain/doors/refusals.ts";
import { log, reasonOf } from "#workers/shared/log.ts";
import type { KeepAlive } from "#workers/shared/single-flight.ts";
import type { Database } from "../tenants/database.ts";

const INTERVAL_MS = 60_000;
const MAX_DOORS = 5_000;

/** Records when doors were last used and last refused a request, each at most once a minute in each isolate. */
export class Touches {
  readonly #database: Database;
  readonly #usedAt = new BoundedMap<string, number>(MAX_DOORS);
  readonly #refusedAt = new BoundedMap<string, number>(MAX_DOORS);

  constructor(database: Database) {
    this.#database = database;
  }

  touch(door: string, keepAlive: KeepAlive): void {
    this.#record(this.#usedAt, door, keepAlive, () => this.#database.touchDoor(door));
  }

  refuse(door: string, reason: RecordedRefusal, keepAlive: KeepAlive): void {
    this.#record(this.#refusedAt, door, keepAlive, () => this.#database.recordDoorRefusal(door, reason));
  }

  #record(times: BoundedMap<string, number>, door: string, keepAlive: KeepAlive, record: () => Promise<void>): void {
    const now = Date.now();
    if (now - (times.get(door) ?? Number.NEGATIVE_INFINITY) < INTERVAL_MS) return;
    times.set(door, now);
    keepAlive(record().catch((error: unknown) => log("warn", "door-touch.failed", { door, reason: reasonOf(error) })));
  }
}
