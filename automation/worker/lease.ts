/**
 * How other replicas see that this one lives: an advisory lock, held by a session that ends with the process. The queue itself would
 * leave what a killed process had begun for four hours.
 */
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { clientConfig } from "../database.ts";
import type { Log } from "../log.ts";

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;
/** Others take this process for gone after two looks, five seconds apart: by then its work has been told to end. */
const GONE_AFTER_MS = 4_000;
/** How often the server is asked: nothing else tells of one that fell silent, or that another has taken the place of. */
const ASK_MS = 1_000;
/** An answer that takes longer is none. */
const ANSWER_MS = 3_000;

/** Has the server notice within some ten seconds, and not after two hours, that this machine is gone. */
const NOTICE =
  "set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 2; set tcp_keepalives_count = 3; set tcp_user_timeout = 10000";

export class Lease {
  readonly #url: string;
  readonly #poolId: string;
  readonly #log: Log;
  #client: pg.Client | undefined;
  #again: NodeJS.Timeout | undefined;
  #pauseMs = FIRST_PAUSE_MS;
  #released = false;
  #held = new AbortController();
  #gone: NodeJS.Timeout | undefined;

  /** @param poolId id under which the queue knows this process's workers */
  constructor(url: string, poolId: string, log: Log) {
    this.#url = url;
    this.#poolId = poolId;
    this.#log = log;
    void this.#take();
  }

  /**
   * Aborted when the server has not said for so long that the lease is held that others may take this process for gone; another one from
   * when it says so again.
   */
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
  async #take(): Promise<void> {
    const client = new pg.Client({ ...clientConfig(this.#url), query_timeout: ANSWER_MS });
    let isLost = false;
    const lost = (error?: Error) => {
      if (isLost || this.#released) return;
      isLost = true;
      client.end().catch(() => undefined);
      this.#log("warn", "lease_lost", { cause: error?.message });
      this.#gone ??= setTimeout(() => this.#held.abort(), GONE_AFTER_MS).unref();
      this.#again = setTimeout(() => void this.#take(), this.#pauseMs);
      this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS);
    };
    client.on("error", lost);
    client.on("end", () => lost());
    this.#client = client;
    try {
      await client.connect();
      await client.query(NOTICE);
      // One that was lost is held until the server has noticed.
      while (!(await this.#isHeldBy(client))) await pause(ASK_MS, undefined, { ref: false });
      for (;;) {
        const askedAt = performance.now();
        await client.query("select");
        this.#prove(askedAt);
        await pause(ASK_MS, undefined, { ref: false });
      }
    } catch (error) {
      lost(error instanceof Error ? error : undefined);
    }
    if (this.#released) await client.end().catch(() => undefined);
  }

  async #isHeldBy(client: pg.Client): Promise<boolean> {
    const { rows } = await client.query<{ held: boolean }>(
      "select pg_try_advisory_lock(hashtextextended('tenantry-automation:' || $1, 0)) as held",
      [this.#poolId],
    );
    return rows[0]?.held === true;
  }

  /** The lease was held at that time. */
  #prove(at: number): void {
    if (this.#released) return;
    this.#pauseMs = FIRST_PAUSE_MS;
    clearTimeout(this.#gone);
    this.#gone = setTimeout(() => this.#held.abort(), at + GONE_AFTER_MS - performance.now()).unref();
    if (this.#held.signal.aborted) this.#held = new AbortController();
  }
}
