/** Updates functions, views, triggers and policies that differ from the files. */
import pg from "pg";
import { SCHEMAS } from "../../callers/grants.ts";
import type { Queryable } from "../bookkeeping.ts";
import { liveRoutines } from "../catalog.ts";
import { SchemaError } from "../error.ts";
import { dropStatement, nameOf, type Routine, type RoutineKind, routineKinds } from "../routine.ts";
import { sha256 } from "../source.ts";

/** PostgreSQL: invalid_function_definition, when `create or replace` changes names or types of arguments or result. */
const CANNOT_REPLACE = "42P13";

const sourceHash = ({ create, after }: Routine) => sha256([create, ...after].join("\n"));

/** Dependents come first. */
const REMOVAL_ORDER: readonly RoutineKind[] = ["policy", "trigger", "view", "function"];

interface RoutineChanges {
  /** Identities in the order of execution. */
  applied: string[];
  removed: string[];
}

/** Runs within the caller's transaction. @throws SchemaError with the file and reason of a statement that PostgreSQL rejects */
export async function applyRoutines(client: Queryable, routines: readonly Routine[]): Promise<RoutineChanges> {
  const ordered = routines.toSorted((a, b) => routineKinds.indexOf(a.kind) - routineKinds.indexOf(b.kind));
  const changed = await findOutdatedRoutines(client, ordered);
  const removed = await removeOthers(client, ordered);
  if (changed.length === 0 && removed.length === 0) return { applied: [], removed: [] };
  // Bodies may use functions of later files, so they are checked at the end.
  await client.query("set local check_function_bodies = off");
  await executeAll(client, changed);
  const live = await liveRoutines(client);
  // Recreating a function with another signature drops its triggers, views and policies.
  const lost = ordered.filter(({ identity }) => !live.has(identity));
  await executeAll(client, lost);
  await client.query("set local check_function_bodies = on");
  await executeAll(
    client,
    changed.filter(({ kind }) => kind === "function"),
  );
  await recordRoutines(client, ordered);
  return { applied: [...new Set([...changed, ...lost].map(({ identity }) => identity))], removed };
}

export async function findOutdatedRoutines(client: Queryable, routines: readonly Routine[]): Promise<Routine[]> {
  const { rows } = await client.query<{ identity: string; source_hash: string; catalog_hash: string }>(
    "select identity, source_hash, catalog_hash from tenantry.routines",
  );
  const known = new Map(rows.map((row) => [row.identity, row]));
  const live = await liveRoutines(client);
  return routines.filter((routine) => {
    const last = known.get(routine.identity);
    return last?.source_hash !== sourceHash(routine) || last.catalog_hash !== live.get(routine.identity)?.hash;
  });
}

export async function findUndeclaredRoutines(client: Queryable, routines: readonly Routine[]) {
  const declared = new Set(routines.map(({ identity }) => identity));
  return [...(await liveRoutines(client)).values()].filter(({ identity }) => !declared.has(identity));
}

async function removeOthers(client: Queryable, routines: readonly Routine[]): Promise<string[]> {
  const others = await findUndeclaredRoutines(client, routines);
  others.sort((a, b) => REMOVAL_ORDER.indexOf(a.kind) - REMOVAL_ORDER.indexOf(b.kind));
  for (const other of others) {
    if (other.kind === "function") await dropFunction(client, nameOf(other));
    else await client.query(dropStatement(other));
  }
  return others.map(({ identity }) => identity);
}

/**
 * Executes the routines in one round trip, because the upgrade holds the tables meanwhile. If PostgreSQL rejects the batch, each half is
 * executed separately, down to the routine that needs more than its statement.
 */
async function executeAll(client: Queryable, routines: readonly Routine[]): Promise<void> {
  const [only, ...others] = routines;
  if (only === undefined) return;
  if (others.length === 0) return createRoutine(client, only);
  if (await executeBatch(client, routines)) return;
  const half = Math.ceil(routines.length / 2);
  await executeAll(client, routines.slice(0, half));
  await executeAll(client, routines.slice(half));
}

/** @returns false without changes if PostgreSQL rejects a statement, or a function gets an overload */
async function executeBatch(client: Queryable, routines: readonly Routine[]): Promise<boolean> {
  const statements = routines.flatMap((routine) => [...dropsBefore(routine), routine.create, ...routine.after]);
  await client.query("savepoint batch");
  try {
    await client.query(statements.join(";\n"));
    if (!(await haveOverloads(client, routines))) {
      await client.query("release savepoint batch");
      return true;
    }
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || isTransient(error)) throw error;
  }
  await client.query("rollback to savepoint batch");
  return false;
}

async function haveOverloads(client: Queryable, routines: readonly Routine[]): Promise<boolean> {
  const { rows } = await client.query<{ name: string }>(
    `select format('%s.%s', pronamespace::regnamespace, proname) as name from pg_proc
     where pronamespace = any ($1::regnamespace[]) group by pronamespace, proname having count(*) > 1`,
    [[...SCHEMAS]],
  );
  return rows.some(({ name }) => routines.some((routine) => routine.kind === "function" && nameOf(routine) === name));
}

/** Policies and constraint triggers cannot be replaced. */
const dropsBefore = (routine: Routine) =>
  routine.kind === "policy" || routine.create.startsWith("create constraint trigger") ? [dropStatement(routine)] : [];

async function createRoutine(client: Queryable, routine: Routine): Promise<void> {
  const { kind, identity, create, after, file } = routine;
  try {
    await client.query("savepoint routine");
    for (const statement of dropsBefore(routine)) await client.query(statement);
    if (kind === "function") await replaceFunction(client, nameOf(routine), create);
    else await client.query(create);
    for (const statement of after) await client.query(statement);
    await client.query("release savepoint routine");
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || isTransient(error)) throw error;
    throw new SchemaError(
      `database/routines/${file}: PostgreSQL rejects ${identity}${lineOf(error, create)}: ${error.message}. Correct the file; nothing was changed.`,
    );
  }
}

/** Whether a retry of the transaction can succeed: class 40, a lock that was not available, a server that stopped. */
export function isTransient(error: unknown): boolean {
  const code = (error as { code?: unknown }).code;
  return typeof code === "string" && (code.startsWith("40") || code === "55P03" || code.startsWith("57P"));
}

function lineOf({ position }: pg.DatabaseError, sql: string): string {
  return position === undefined ? "" : `, line ${sql.slice(0, Number(position)).split("\n").length} of the statement`;
}

async function readOverloads(client: Queryable, name: string): Promise<string[]> {
  const { rows } = await client.query<{ signature: string }>(
    `select oid::regprocedure::text as signature from pg_proc
     where pronamespace = split_part($1, '.', 1)::regnamespace and proname = split_part($1, '.', 2)`,
    [name],
  );
  return rows.map(({ signature }) => signature);
}

async function replaceFunction(client: Queryable, name: string, create: string): Promise<void> {
  const before = await readOverloads(client, name);
  try {
    await client.query("savepoint replaced");
    await client.query(create);
    const now = await readOverloads(client, name);
    // Different argument types created an overload.
    if (before.length > 0 && now.length > 1) {
      await client.query("rollback to savepoint replaced");
      await dropFunction(client, name);
      await client.query(create);
    }
  } catch (error) {
    if ((error as { code?: string }).code !== CANNOT_REPLACE) throw error;
    await client.query("rollback to savepoint replaced");
    await dropFunction(client, name);
    await client.query(create);
  }
  await client.query("release savepoint replaced");
}

/** Drops a function with dependent triggers, policies and views. PostgreSQL rejects it if something else depends on it, such as a column default. */
async function dropFunction(client: Queryable, name: string): Promise<void> {
  for (const signature of await readOverloads(client, name)) {
    const { rows } = await client.query<{ statement: string }>(
      `select distinct case
         when t.oid is not null then format('drop trigger %I on %s', t.tgname, t.tgrelid::regclass)
         when p.oid is not null then format('drop policy %I on %s', p.polname, p.polrelid::regclass)
         else format('drop view %s', r.ev_class::regclass) end as statement
       from pg_depend d
       left join pg_trigger t on d.classid = 'pg_trigger'::regclass and t.oid = d.objid and t.tgparentid = 0 and not t.tgisinternal
       left join pg_policy p on d.classid = 'pg_policy'::regclass and p.oid = d.objid
       left join pg_rewrite r on d.classid = 'pg_rewrite'::regclass and r.oid = d.objid
       where d.refclassid = 'pg_proc'::regclass and d.refobjid = $1::regprocedure and num_nonnulls(t.oid, p.oid, r.oid) > 0`,
      [signature],
    );
    for (const { statement } of rows) await client.query(statement);
    await client.query(`drop function ${signature}`);
  }
}

async function recordRoutines(client: Queryable, routines: readonly Routine[]): Promise<void> {
  const live = await liveRoutines(client);
  await client.query("delete from tenantry.routines");
  await client.query(
    `insert into tenantry.routines (identity, source_hash, catalog_hash)
     select * from unnest($1::text[], $2::text[], $3::text[])`,
    [
      routines.map(({ identity }) => identity),
      routines.map(sourceHash),
      routines.map(({ identity }) => live.get(identity)?.hash ?? ""),
    ],
  );
}
