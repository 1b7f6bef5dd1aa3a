/** Since when things are seen that `npm run fleet -- doctor` finds, told by the database's clock alone; every query is the service's. */
import { type Kysely, sql } from "kysely";
import * as z from "zod";
import { type Environment, environments } from "#domain/environment.ts";
import type { DB } from "../types.ts";

export interface SeenFinding {
  /** What it was looked for as, such as `bucket`. */
  kind: string;
  /** What never changes of it. */
  identity: string;
}

export interface Sighting extends SeenFinding {
  firstSeen: Date;
  /** How long ago that is. */
  hours: number;
}

/** After so many days without a look nobody knows what was between: it counts as seen for the first time. */
const MOST_DAYS_BETWEEN = 7;

const sighting = z.object({
  kind: z.string(),
  identity: z.string(),
  first_seen: z.date(),
  hours: z.coerce.number(),
});

/**
 * Keeps what a look has seen. What it looked for and did not see is forgotten, so that its time begins anew when it comes back.
 *
 * @param look.kinds what it looked for to the end; of others nothing is forgotten
 * @returns what was seen, each since when
 */
export async function recordLook(
  db: Kysely<DB>,
  look: { kinds: readonly string[]; seen: readonly SeenFinding[] },
): Promise<Sighting[]> {
  const seen = JSON.stringify(look.seen.map(({ kind, identity }) => ({ kind, identity })));
  return db.transaction().execute(async (tx) => {
    await sql`
      delete from tenantry.findings f
      where f.kind = any (${[...look.kinds]}::text[]) and not exists (
        select from jsonb_to_recordset(${seen}::jsonb) as s (kind text, identity text)
        where s.kind = f.kind and s.identity = f.identity)`.execute(tx);
    const { rows } = await sql`
      insert into tenantry.findings as f (kind, identity)
      select distinct s.kind, s.identity from jsonb_to_recordset(${seen}::jsonb) as s (kind text, identity text)
      on conflict (environment, kind, identity) do update set
        first_seen = case when f.last_seen < now() - make_interval(days => ${MOST_DAYS_BETWEEN}) then now() else f.first_seen end,
        last_seen = now()
      returning f.kind, f.identity, f.first_seen, extract(epoch from now() - f.first_seen) / 3600 as hours`.execute(tx);
    return z
      .array(sighting)
      .parse(rows)
      .map(({ kind, identity, first_seen: firstSeen, hours }) => ({ kind, identity, firstSeen, hours }));
  });
}

/**
 * Does something that one process at a time may do in an environment, wherever it runs.
 *
 * @returns `undefined`, and nothing was done, while another does it
 */
export async function alone<T>(db: Kysely<DB>, work: () => Promise<T>): Promise<T | undefined> {
  return db.connection().execute(async (session) => {
    const key = sql`hashtextextended('tenantry-doctor:' || tenantry.caller_environment(), 0)`;
    const { rows } = await sql<{ had: boolean }>`select pg_try_advisory_lock(${key}) as had`.execute(session);
    if (rows[0]?.had !== true) return undefined;
    try {
      return await work();
    } finally {
      await sql`select pg_advisory_unlock(${key})`.execute(session);
    }
  });
}

const caller = z.object({ kind: z.string(), environment: z.enum(environments) });

/** As whom one is logged in: another's rows are not hidden by mistake then, but by design. */
export async function callerOf(db: Kysely<DB>): Promise<{ kind: string; environment: Environment }> {
  const { rows } =
    await sql`select tenantry.caller_kind() as kind, tenantry.caller_environment() as environment`.execute(db);
  return caller.parse(rows[0]);
}
