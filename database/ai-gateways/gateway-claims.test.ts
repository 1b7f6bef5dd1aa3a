/** Ten thousand random concurrent claims of gateway slots: no entry ever exceeds its capacity. */
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { environments } from "#domain/environment.ts";
import { startTestDatabase, type TestDatabase } from "../testing/test-database.ts";

const CLAIMS = 10_000;
const SESSIONS = 6;
const ENTRIES = 6;
const CLIENTS = 300;
/** Seed, to repeat a failed run. */
const SEED = 20_261_123;

/** Prepared once per session, because planning would take longer than the query. */
const CLAIM = `
  insert into tenantry.instances (client_id, environment, worker_name, ai_gateway_pool_id, ai_gateway_id)
  values ($1::uuid, $4, 'tenant-' || $1::uuid, $2, $3)
  on conflict (client_id) do update set ai_gateway_pool_id = excluded.ai_gateway_pool_id, ai_gateway_id = excluded.ai_gateway_id`;

let database: TestDatabase;
beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.stop());

/** Random numbers from 0 to 1 (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Codes of refused claims: no room, another environment or disabled, and concurrent changes. */
const REFUSED = new Set(["TN001", "TN002", "40P01", "40001", "23505"]);

/** PostgreSQL's own error for concurrent changes of a locked row, which are rarely resolved (XX000). */
const UNSURE = /^new multixact has more than one updating member/;

test("no gateway exceeds its capacity when callers claim, move, free, resize or wait", async () => {
  const { pool } = database;
  await pool.query(
    `insert into tenantry.ai_gateways (gateway_id, environment, max_instances, enabled)
     select 'entry-' || n, (array[null, 'production', 'staging', 'development'])[n % 4 + 1], 3 + n * 2, true
     from generate_series(1, ${ENTRIES}) n`,
  );
  await pool.query(
    `insert into tenantry.clients (slug, name, billing_plan, environment)
     select 'claims-' || n, '', 'free', (array['${environments.join("','")}'])[n % 3 + 1] from generate_series(1, ${CLIENTS}) n`,
  );
  // Audit entries would take most of the time.
  await pool.query(
    "alter table tenantry.instances disable trigger audit; alter table tenantry.ai_gateways disable trigger audit",
  );
  const { rows: clients } = await pool.query<{ id: string; environment: string }>(
    "select id, environment from tenantry.clients order by slug",
  );
  const { rows: entries } = await pool.query<{ id: string; gateway_id: string }>(
    "select id, gateway_id from tenantry.ai_gateways order by gateway_id",
  );

  const outcomes = new Map<string, number>();
  const count = (outcome: string) => outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  let left = CLAIMS;

  const over = async () =>
    (
      await pool.query(
        `select g.gateway_id, g.max_instances, count(*)::int as bound, count(*) filter (where i.environment <> g.environment)::int as foreign
         from tenantry.ai_gateways g join tenantry.instances i on i.ai_gateway_pool_id = g.id
         group by g.id having count(*) > g.max_instances or count(*) filter (where i.environment <> g.environment) > 0`,
      )
    ).rows;
  async function claims(session: pg.Client, random: () => number): Promise<void> {
    const one = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)] as T;
    const claim = async () => {
      left -= 1;
      const [client, entry] = [one(clients), one(entries)];
      const at = [client.id, entry.id, entry.gateway_id];
      // The first binds or moves; a move to another environment needs a row whose client belongs to it.
      await session.query({ name: "claim", text: CLAIM, values: [...at, client.environment] });
    };
    while (left > 0) {
      if (left % 100 === 0) expect(await over()).toEqual([]);
      const kind = random();
      try {
        if (kind < 0.08) {
          await session.query("delete from tenantry.instances where client_id = any($1)", [
            [one(clients).id, one(clients).id],
          ]);
          count("freed");
        } else if (kind < 0.1) {
          // Never below the bound number; the row's lock orders it with the claims.
          await session.query("begin");
          const { id } = one(entries);
          await session.query("select from tenantry.ai_gateways where id = $1 for update", [id]);
          await session.query(
            `update tenantry.ai_gateways g set enabled = not (enabled and $2), max_instances = greatest(
               $3, (select count(*) from tenantry.instances i where i.ai_gateway_pool_id = g.id))
             where id = $1`,
            [id, random() < 0.3, 3 + Math.floor(random() * 12)],
          );
          await session.query("commit");
          count("resized");
        } else if (kind < 0.3) {
          // Several in one transaction, checked one by one or at its end; some roll back.
          await session.query(`begin isolation level ${one(["read committed", "repeatable read"])}`);
          if (random() < 0.5) await session.query("set constraints all deferred");
          for (let together = 1 + Math.floor(random() * 3); together > 0; together -= 1) await claim();
          const end = random() < 0.2 ? "rollback" : "commit";
          await session.query(end);
          count(end);
        } else {
          await claim();
          count("bound");
        }
      } catch (error) {
        const { code = "", message } = error as pg.DatabaseError;
        if (!REFUSED.has(code) && !UNSURE.test(message)) throw error;
        await session.query("rollback");
        count(code);
      }
    }
  }

  const sessions = await Promise.all(
    Array.from({ length: SESSIONS }, async () => {
      const session = new pg.Client(database.url);
      await session.connect();
      // Deadlocks of claims are detected at once.
      await session.query("set deadlock_timeout = '10ms'; set synchronous_commit = off");
      return session;
    }),
  );
  try {
    await Promise.all(sessions.map((session, index) => claims(session, randomOf(SEED + index))));
  } finally {
    await Promise.all(sessions.map((session) => session.end()));
  }
  expect(await over()).toEqual([]);
  // Every outcome occurred, so the claims were concurrent.
  for (const way of ["bound", "commit", "rollback", "freed", "resized", "TN001", "TN002"]) {
    expect([way, outcomes.get(way) ?? 0]).toEqual([way, expect.any(Number)]);
    expect(outcomes.get(way) ?? 0).toBeGreaterThan(20);
  }
});
