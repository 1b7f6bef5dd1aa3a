import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { clientConfig } from "../database.ts";
import type { Log } from "../log.ts";

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;
/** Others treat this process as dead after two checks, five seconds apart. It must have stopped its work by then. */
const GONE_AFTER_MS = 4_000;
/** Interval of queries, which detect a silent or replaced server. */
const ASK_MS = 1_000;
const ANSWER_MS = 3_000;

/** The server detects within about ten seconds, not two hours, that this machine is lost. */
const NOTICE =
  "set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 2; set tcp_keepalives_count = 3; set tcp_user_timeout = 10000";

/** Advisory lock that shows other replicas that this process is alive. Without it, the queue releases a killed process's work after four hours. */
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

  /** @param poolId id of this process's workers in the queue */
  constructor(url: string, poolId: string, log: Log) {
    this.#url = url;
    this.#poolId = poolId;
    this.#log = log;
    void this.#take();
  }

  /** Aborted when others may treat this process as dead. Replaced when the server confirms the lease again. */
  get held(): AbortSignal {
    return this.#held.signal;
  }

  async release(): Promise<void> {
    this.#released = true;
    clearTimeout(this.#again);
    clearTimeout(this.#gone);
    await this.#client?.end().catch(() => undefined);
  }

  /** Replaces a lost session, with growing pauses. */
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
      // A lost session holds the lock until the server notices.
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

  /** @param at when the lease was held */
  #prove(at: number): void {
    if (this.#released) return;
    this.#pauseMs = FIRST_PAUSE_MS;
    clearTimeout(this.#gone);
    this.#gone = setTimeout(() => this.#held.abort(), at + GONE_AFTER_MS - performance.now()).unref();
    if (this.#held.signal.aborted) this.#held = new AbortController();
  }
}
