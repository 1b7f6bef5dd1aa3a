/** Pushes of what a tenant's Supervisor stores, encrypted: the dispatch Worker decrypts it. */
import type { Kysely } from "kysely";
import type { DB } from "#database/types.ts";
import { type DispatchWorker, TenantRefusal } from "../../../outside/dispatch-worker.ts";
import type { JobKind } from "../../kind.ts";
import { JobRefused } from "../../refusals.ts";

interface Sealed {
  id: string;
  /** Encrypted. */
  credentials: Buffer;
}

interface Push<T> {
  name: string;
  /** Undefined without the instance. */
  toPush: (db: Kysely<DB>, instanceId: string) => Promise<T | undefined>;
  /** Replaces what the tenant has. @returns whether the tenant has a Worker @throws TenantRefusal */
  send: (dispatch: DispatchWorker, slug: string, found: T, signal: AbortSignal) => Promise<boolean>;
  /** @returns false if some were changed or deleted meanwhile */
  recordPushed: (db: Kysely<DB>, pushed: T, instanceId: string) => Promise<boolean>;
  recordFailed: (db: Kysely<DB>, instanceId: string, cause: string) => Promise<void>;
}

/** They are changed one at a time, by a person or by the rotation of the key that encrypts them. */
const MAX_ROUNDS = 5;

/** Returns rows as an order to the dispatch Worker. */
export const sealedOrder = (found: readonly Sealed[]) => ({
  sealed: found.map(({ id, credentials }) => ({ id, credentials: credentials.toString("base64") })),
});

/** A tenant that is not deployed yet gets them when it runs: `push_again` in database/routines/doors/pushes.sql. */
export const pushKind = <T>({ name, toPush, send, recordPushed, recordFailed }: Push<T>): JobKind => ({
  name,
  async run({ instance_id, slug }, { dispatch }, { db, signal }) {
    if (instance_id === null) return;
    for (let round = 1; round <= MAX_ROUNDS; round += 1) {
      const found = await toPush(db, instance_id);
      if (found === undefined) return;
      try {
        if (!(await send(dispatch, slug, found, signal))) return;
      } catch (error) {
        if (!(error instanceof TenantRefusal)) throw error;
        throw new JobRefused({ message: error.message, reason: error.reason }, { cause: error });
      }
      if (await recordPushed(db, found, instance_id)) return;
    }
  },
  async failed({ instance_id }, cause, { db }) {
    if (instance_id !== null) await recordFailed(db, instance_id, cause);
  },
});
