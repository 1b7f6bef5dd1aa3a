/** When `npm run fleet -- doctor` first saw its findings, by the database's clock, for the automation service. */
import { type Kysely, sql } from "kysely";
import * as z from "zod";
import { type Environment, environments } from "#domain/environment.ts";
import type { DB } from "../types.ts";

interface SeenFinding {
  kind: string;
  identity: string;
}

export interface Sighting extends SeenFinding {
  firstSeen: Date;
  hours: number;
}

/** After more days without a check, a finding counts as new. */
const MOST_DAYS_BETWEEN = 7;

const sighting = z.object({
  kind: z.string(),
  identity: z.string(),
  first_seen: z.date(),
  hours: z.coerce.number(),
});

/**
 * Stores the findings of a check. Earlier findings that it no longer has are deleted.
 * @param found.kinds completed kinds; findings of other kinds are not deleted
 * @returns the findings with their ages
 */
export async function storeFindings(
  db: Kysely<DB>,
  found: { kinds: readonly string[]; seen: readonly SeenFinding[] },
): Promise<Sighting[]> {
  const seen = JSON.stringify(found.seen.map(({ kind, identity }) => ({ kind, identity })));
  return db.transaction().execute(async (tx) => {
    await sql`
      delete from tenantry.findings f
      where f.kind = any (${[...found.kinds]}::text[]) and not exists (
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

/** Runs `work` unless another process runs it in the same environment. @returns undefined if another process does */
export async function runExclusively<T>(db: Kysely<DB>, work: () => Promise<T>): Promise<T | undefined> {
  return db.connection().execute(async (session) => {
    const key = sql`hashtextextended('tenantry-doctor:' || tenantry.caller_environment(), 0)`;
    const { rows } = await sql<{ locked: boolean }>`select pg_try_advisory_lock(${key}) as locked`.execute(session);
    if (rows[0]?.locked !== true) return undefined;
    try {
      return await work();
    } finally {
      await sql`select pg_advisory_unlock(${key})`.execute(session);
    }
  });
}

const caller = z.object({ kind: z.string(), environment: z.enum(environments) });

/** Returns the caller's kind and environment, which decide what row-level security hides. */
export async function readCaller(db: Kysely<DB>): Promise<{ kind: string; environment: Environment }> {
  const { rows } =
    await sql`select tenantry.caller_kind() as kind, tenantry.caller_environment() as environment`.execute(db);
  return caller.parse(rows[0]);
}
