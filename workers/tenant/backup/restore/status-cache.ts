/** Keeps the restore status, so that a health check seldom reads the bucket and the state. */
import type { RestoreStatus } from "#workers/contracts/tenant/health-snapshot.ts";
import type { RecordEvent } from "../../event-log.ts";
import type { StateReader } from "../state-reader.ts";
import { judgeRestore, type KnownRestore } from "./status.ts";

/** How long a restore status that may still change is used, in milliseconds. */
const MAX_AGE_MS = 30_000;

export class RestoreStatusCache {
  readonly #reader: Pick<StateReader, "both">;
  readonly #record: RecordEvent;
  /** The status of a state that does not change before the next start. */
  #final: RestoreStatus | undefined;
  #latest: { at: number; status: RestoreStatus } | undefined;

  constructor(reader: Pick<StateReader, "both">, record: RecordEvent) {
    this.#reader = reader;
    this.#record = record;
  }

  /** The restore status; `undefined` when the bucket or the sandbox cannot be read. Restores nothing and wakes nothing. */
  async status(): Promise<KnownRestore> {
    if (this.#final !== undefined) return this.#final;
    if (this.#latest !== undefined && Date.now() - this.#latest.at < MAX_AGE_MS) return this.#latest.status;
    try {
      const { listing, state } = await this.#reader.both();
      const status = judgeRestore(listing.own, state);
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

  /** Forgets the status. Call when the state changes or is lost with the sandbox's disk. */
  forget(): void {
    this.#final = undefined;
    this.#latest = undefined;
  }
}
