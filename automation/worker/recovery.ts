/** Gives back what killed replicas had begun, within seconds. */
import type { Kysely } from "kysely";
import type { DB } from "#database/types.ts";
import { lockHolders, unlockWork, withoutLease } from "#database/work/queue-state.ts";
import type { Log } from "../log.ts";
import { reasonOf } from "../task.ts";

const INTERVAL_MS = 5_000;

export class Recovery {
  readonly #db: Kysely<DB>;
  readonly #schema: string;
  readonly #own: string;
  readonly #log: Log;
  #suspects = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #ended = false;

  /** @param own this process's pool of workers, which lives */
  constructor(db: Kysely<DB>, schema: string, own: string, log: Log) {
    this.#db = db;
    this.#own = own;
    this.#schema = schema;
    this.#log = log;
    this.#look();
  }

  /** Resolves when it uses the database no more. */
  async stop(): Promise<void> {
    this.#ended = true;
    clearTimeout(this.#timer);
    await this.#looking;
  }

  #look(): void {
    this.#looking = this.#recover()
      .catch((error: unknown) => this.#log("warn", "recovery_failed", { cause: reasonOf(error) }))
      .then(() => {
        if (!this.#ended) this.#timer = setTimeout(() => this.#look(), INTERVAL_MS);
      });
  }

  /** Whoever has work and no lease at two looks is gone: one that only starts, or has lost its session, has it back by then. */
  async #recover(): Promise<void> {
    const holders = (await lockHolders(this.#db, this.#schema)).filter((id) => id !== this.#own);
    const suspects = holders.length === 0 ? [] : await withoutLease(this.#db, holders);
    const gone = suspects.filter((id) => this.#suspects.has(id));
    this.#suspects = new Set(suspects);
    if (gone.length === 0) return;
    await unlockWork(this.#db, this.#schema, gone);
    this.#log("warn", "work_recovered", { replicas: gone.length });
  }
}
