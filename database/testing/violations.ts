/** Every error that the database's constraints and functions can raise, from its catalog, and a way to raise it anywhere. */
import type pg from "pg";
import * as z from "zod";

/** Part of each message and detail that must not be shown. */
export const SECRET = "value-of-a-row";

const violation = z.object({
  /** For the test's messages. */
  name: z.string(),
  code: z.string(),
  message: z.string(),
  detail: z.string().default(""),
  table: z.string().default(""),
  column: z.string().default(""),
  constraint: z.string().default(""),
});
export type Violation = z.infer<typeof violation>;

/** Messages as in PostgreSQL's sources: `execIndexing.c`, `ri_triggers.c`, `execMain.c`. */
const CONSTRAINTS = `
  with constraints as (
    select c.contype as kind, c.conname as name, c.conrelid::regclass::text as relation, r.relname as "table", f.relname as other,
      (select a.attname from pg_attribute a where a.attrelid = c.conrelid and a.attnum = c.conkey[1]) as "column"
    from pg_constraint c join pg_class r on r.oid = c.conrelid left join pg_class f on f.oid = c.confrelid
    where c.connamespace = 'tenantry'::regnamespace and c.conparentid = 0 and not r.relispartition
    union all
    select 'u', i.relname, r.oid::regclass::text, r.relname, null, null
    from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class r on r.oid = x.indrelid
    where r.relnamespace = 'tenantry'::regnamespace and x.indisunique and not r.relispartition
      and not exists (select from pg_constraint c where c.conindid = x.indexrelid)
  )
  select name, '23505' as code, format('duplicate key value violates unique constraint "%s"', name) as message,
    'Key (id)=(${SECRET}) already exists.' as detail, "table", '' as "column", name as "constraint"
  from constraints where kind in ('p', 'u')
  union all
  select name, '23514', format('new row for relation "%s" violates check constraint "%s"', "table", name),
    'Failing row contains (${SECRET}).', "table", '', name
  from constraints where kind = 'c'
  union all
  select name || ' (missing)', '23503', format('insert or update on table "%s" violates foreign key constraint "%s"', "table", name),
    format('Key (id)=(${SECRET}) is not present in table "%s".', other), "table", '', name
  from constraints where kind = 'f'
  union all
  select name || ' (in use)', '23503',
    format('update or delete on table "%s" violates foreign key constraint "%s" on table "%s"', other, name, "table"),
    format('Key (id)=(${SECRET}) is still referenced from table "%s".', "table"), "table", '', name
  from constraints where kind = 'f'
  union all
  select name, '23502', format('null value in column "%s" of relation "%s" violates not-null constraint', "column", "table"),
    'Failing row contains (null, ${SECRET}).', "table", "column", ''
  from constraints where kind = 'n'
  union all
  select name, '23P01', format('conflicting key value violates exclusion constraint "%s"', name),
    'Key (id)=(${SECRET}) conflicts with existing key.', "table", '', name
  from constraints where kind = 'x'`;

/** `raise exception` statements of the platform's functions. */
const RAISED = `
  select p.proname as name, m[1] as message, m[2] as code
  from pg_proc p,
    lateral regexp_matches(p.prosrc, 'raise exception\\s+''((?:[^'']|'''')*)''[^;]*?errcode = ''(\\w+)''', 'g') m
  where p.pronamespace in ('tenantry'::regnamespace, 'api'::regnamespace, 'dashboard'::regnamespace)
    and p.prokind = 'f'`;

/** Errors without a constraint: missing rights and objects, invalid values, conflicts, faults of the server. */
const OTHERS: readonly (readonly [code: string, message: string])[] = [
  ["0A000", "cached plan must not change result type"],
  ["22003", "integer out of range"],
  ["22021", 'invalid byte sequence for encoding "UTF8": 0x00'],
  ["22P02", `invalid input syntax for type uuid: "${SECRET}"`],
  ["40001", "could not serialize access due to concurrent update"],
  ["40P01", "deadlock detected"],
  ["42501", 'permission denied for table "clients"'],
  ["42501", 'new row violates row-level security policy for table "clients"'],
  ["42703", 'column "owner" of relation "clients" does not exist'],
  ["42883", "function tenantry.slug_is_taken(text) does not exist"],
  ["42P01", 'relation "tenantry.clients" does not exist'],
  ["53100", `could not extend file "base/16384/${SECRET}": No space left on device`],
  ["54001", "stack depth limit exceeded"],
  ["55P03", 'could not obtain lock on row in relation "clients"'],
  ["57014", "canceling statement due to statement timeout"],
  ["P0001", `unknown fault of ${SECRET}`],
  ["P0002", "query returned no rows"],
  ["XX000", `could not find tuple for ${SECRET}`],
  ["XX001", `invalid page in block 0 of relation base/16384/${SECRET}`],
];

/** @throws Error if the catalog has none of an expected kind, which means that the statements are outdated */
export async function listViolations(pool: pg.Pool): Promise<Violation[]> {
  const constraints = z.array(violation).parse((await pool.query(CONSTRAINTS)).rows);
  const raised = z
    .array(z.object({ name: z.string(), message: z.string(), code: z.string() }))
    .parse((await pool.query(RAISED)).rows)
    .map(({ message, ...row }) =>
      violation.parse({ ...row, message: message.replaceAll("''", "'").replaceAll("%", "x") }),
    );
  for (const code of ["23502", "23503", "23505", "23514"]) {
    if (!constraints.some((found) => found.code === code))
      throw new Error(`The catalog has no constraint for ${code}.`);
  }
  if (raised.length < 20) throw new Error(`The functions raise only ${raised.length} errors.`);
  const others = OTHERS.map(([code, message]) => violation.parse({ name: `${code} ${message}`, code, message }));
  return [...constraints, ...raised, ...others];
}

/** Makes writes of a table raise the last violation given to {@link raiseNext}. @param when such as `before insert` */
export async function raiseOn(pool: pg.Pool, table: string, when: string): Promise<void> {
  await pool.query(`
    create table if not exists public.next_violation (fields jsonb not null);
    create or replace function public.raise_violation(v jsonb) returns void language plpgsql as $$
    begin
      raise exception using errcode = v ->> 'code', message = v ->> 'message', detail = v ->> 'detail',
        schema = 'tenantry', table = v ->> 'table', column = v ->> 'column', constraint = v ->> 'constraint';
    end $$;
    create or replace function public.raise_next() returns trigger language plpgsql security definer as $$
    declare fields jsonb := (select n.fields from public.next_violation n);
    begin
      if fields is not null then perform public.raise_violation(fields); end if;
      return coalesce(new, old);
    end $$;
    create trigger aaa_raise_next ${when} on ${table} for each row execute function public.raise_next()`);
}

/** @param next undefined for none */
export async function raiseNext(pool: pg.Pool, next: Violation | undefined): Promise<void> {
  await pool.query("delete from public.next_violation");
  if (next !== undefined) await pool.query("insert into public.next_violation values ($1)", [JSON.stringify(next)]);
}

/** Returns the driver's error for a violation. */
export async function errorOf(pool: pg.Pool, raised: Violation): Promise<unknown> {
  // `pool.query` would close the connection after an error.
  const client = await pool.connect();
  try {
    await client.query("select public.raise_violation($1)", [JSON.stringify(raised)]);
    return undefined;
  } catch (error) {
    return error;
  } finally {
    client.release();
  }
}

/** Whether the platform states this error for users. */
export const isStated = ({ code }: Violation): boolean => /^TN0(?!06|07)/.test(code);

const DATABASE_WORDS =
  /violates|duplicate key|null value in|constraint|relation\b|row-level|SQLSTATE|tenantry\.|\bTN\d|_fkey|_key\b|_check\b|pg_|syntax for type|serialize|deadlock|tuple|cached plan|out of range\b.*integer/i;

/** Returns text of the database in `text`; undefined for none. */
export function rawWords(text: string, raised: Violation): string | undefined {
  const names = [
    raised.constraint,
    raised.column.includes("_") ? raised.column : "",
    raised.table.includes("_") ? raised.table : "",
  ];
  const found = [SECRET, ...names, ...(isStated(raised) ? [] : [raised.message])].find(
    (words) => words !== "" && text.includes(words),
  );
  return found ?? DATABASE_WORDS.exec(text)?.[0];
}
