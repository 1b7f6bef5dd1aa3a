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

interface Push {
  name: string;
  toPush: (db: Kysely<DB>, instanceId: string) => Promise<Sealed[]>;
  /** Replaces what the tenant has. @returns whether the tenant has a Worker @throws TenantRefusal */
  send: (
    dispatch: DispatchWorker,
    slug: string,
    order: { sealed: { id: string; credentials: string }[] },
    signal: AbortSignal,
  ) => Promise<boolean>;
  /** @returns false if some were changed or deleted meanwhile */
  recordPushed: (db: Kysely<DB>, pushed: readonly Sealed[]) => Promise<boolean>;
  recordFailed: (db: Kysely<DB>, instanceId: string, cause: string) => Promise<void>;
}

/** They are changed one at a time, by a person or by the rotation of the key that encrypts them. */
const MAX_ROUNDS = 5;

/** A tenant that is not deployed yet gets them when it runs: `push_again` in database/routines/doors/pushes.sql. */
export const pushKind = ({ name, toPush, send, recordPushed, recordFailed }: Push): JobKind => ({
  name,
  async run({ instance_id, slug }, { dispatch }, { db, signal }) {
    if (instance_id === null) return;
    for (let round = 1; round <= MAX_ROUNDS; round += 1) {
      const found = await toPush(db, instance_id);
      const sealed = found.map(({ id, credentials }) => ({ id, credentials: credentials.toString("base64") }));
      try {
        if (!(await send(dispatch, slug, { sealed }, signal))) return;
      } catch (error) {
        if (!(error instanceof TenantRefusal)) throw error;
        throw new JobRefused({ message: error.message, reason: error.reason }, { cause: error });
      }
      if (await recordPushed(db, found)) return;
    }
  },
  async failed({ instance_id }, cause, { db }) {
    if (instance_id !== null) await recordFailed(db, instance_id, cause);
  },
});
