/**
 * How other replicas see that this one lives: an advisory lock, held by a session that ends with the process. The queue itself would
 * leave what a killed process had begun for four hours.
 */
import pg from "pg";
import { clientConfig } from "../database.ts";
import type { Log } from "../log.ts";

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;
/** Others take this process for gone after two looks, five seconds apart: by then its work has been told to end. */
const GONE_AFTER_MS = 4_000;

export class Lease {
  readonly #url: string;
  readonly #poolId: string;
  readonly #log: Log;
  #client: pg.Client | undefined;
  #again: NodeJS.Timeout | undefined;
  #released = false;
  #held = new AbortController();
  #gone: NodeJS.Timeout | undefined;

  /** @param poolId id under which the queue knows this process's workers */
  constructor(url: string, poolId: string, log: Log) {
    this.#url = url;
    this.#poolId = poolId;
    this.#log = log;
    void this.#take(FIRST_PAUSE_MS);
  }

  /** Aborted when the lease is lost for so long that others may take this process for gone; another one from when it is had again. */
  get held(): AbortSignal {
    return this.#held.signal;
  }

  async release(): Promise<void> {
    this.#released = true;
    clearTimeout(this.#again);
    clearTimeout(this.#gone);
    await this.#client?.end().catch(() => undefined);
  }

  /** A session that is lost is replaced, with ever longer pauses while there is no server. */
  async #take(pauseMs: number): Promise<void> {
    const client = new pg.Client(clientConfig(this.#url));
    let isLost = false;
    const lost = (error?: Error) => {
      if (isLost || this.#released) return;
      isLost = true;
      client.end().catch(() => undefined);
      this.#log("warn", "lease_lost", { cause: error?.message });
      this.#gone ??= setTimeout(() => this.#held.abort(), GONE_AFTER_MS).unref();
      this.#again = setTimeout(() => void this.#take(Math.min(pauseMs * 2, LONGEST_PAUSE_MS)), pauseMs);
    };
    client.on("error", lost);
    client.on("end", () => lost());
    this.#client = client;
    try {
      await client.connect();
      await client.query("select pg_advisory_lock(hashtextextended('tenantry-automation:' || $1, 0))", [this.#poolId]);
      clearTimeout(this.#gone);
      this.#gone = undefined;
      if (this.#held.signal.aborted) this.#held = new AbortController();
    } catch (error) {
      lost(error instanceof Error ? error : undefined);
    }
    if (this.#released) await client.end().catch(() => undefined);
  }
}
