/** Caches the restore status, so that most health checks do not read the bucket and the state. */
import type { RestoreStatus } from "#workers/contracts/tenant/health-snapshot.ts";
import type { RecordEvent } from "../../event-log.ts";
import type { StateReader } from "../state-reader.ts";
import { type KnownRestore, restoreStatusOf } from "./status.ts";

/** How long a status that may still change is cached, in milliseconds. */
const MAX_AGE_MS = 30_000;

export class RestoreStatusCache {
  readonly #reader: Pick<StateReader, "both">;
  readonly #record: RecordEvent;
  /** A status that does not change before the next start. */
  #final: RestoreStatus | undefined;
  #latest: { at: number; status: RestoreStatus } | undefined;

  constructor(reader: Pick<StateReader, "both">, record: RecordEvent) {
    this.#reader = reader;
    this.#record = record;
  }

  /** Returns the restore status; `undefined` when the bucket or the sandbox cannot be read. Does not wake the sandbox. */
  async get(): Promise<KnownRestore> {
    if (this.#final !== undefined) return this.#final;
    if (this.#latest !== undefined && Date.now() - this.#latest.at < MAX_AGE_MS) return this.#latest.status;
    try {
      const { listing, state } = await this.#reader.both();
      const status = restoreStatusOf(listing.own, state);
      // A restore may still fill an empty state.
      if (!state.empty) this.#final ??= status;
      this.#latest = { at: Date.now(), status };
      return this.#final ?? status;
    } catch (error) {
      this.#record("restore-status.unknown", { message: String(error) });
      return undefined;
    }
  }

  /** Sets the status that a start prepared. */
  set(status: RestoreStatus): void {
    this.#final = status;
  }

  /** Call when the state changes or is lost with the sandbox's disk. */
  forget(): void {
    this.#final = undefined;
    this.#latest = undefined;
  }
}
