import pg from "pg";
import * as z from "zod";
import { RestError } from "./rest-error.ts";

export const SCHEMA = "api";

const routine = z.object({
  /** Names of the input arguments; an unnamed one is empty. */
  names: z.array(z.string()),
  types: z.array(z.string()),
  /** The number of last arguments that have defaults. */
  defaults: z.number().int(),
  is_set: z.boolean(),
  is_composite: z.boolean(),
  is_void: z.boolean(),
  is_volatile: z.boolean(),
});
type Routine = z.infer<typeof routine>;

const FIND = `
  select array(
           select coalesce(p.proargnames[i], '')
           from generate_series(1, coalesce(array_length(p.proallargtypes, 1), p.pronargs)) i
           where p.proargmodes is null or p.proargmodes[i] in ('i', 'b', 'v')
           order by i
         ) as names,
         array(select format_type(t, null) from unnest(p.proargtypes) with ordinality as a (t, i) order by i) as types,
         p.pronargdefaults as defaults,
         p.proretset as is_set,
         r.typtype = 'c' or p.prorettype = 'record'::regtype
           or coalesce(p.proargmodes::text[] && '{o,b,t}', false) as is_composite,
         p.prorettype = 'void'::regtype as is_void,
         p.provolatile = 'v' as is_volatile
  from pg_proc p join pg_type r on r.oid = p.prorettype
  where p.pronamespace = '${SCHEMA}'::regnamespace and p.prokind = 'f' and p.proname = $1`;

/**
 * Finds the function that takes exactly these arguments.
 *
 * @throws RestError 404 PGRST202 when none matches, 300 PGRST203 when several match
 */
export async function findFunction(client: pg.ClientBase, name: string, given: readonly string[]): Promise<Routine> {
  const { rows } = await client.query(FIND, [name]);
  const found = z.array(routine).parse(rows);
  const exact = found.filter((candidate) => acceptsArguments(candidate, given));
  const [only, another] = exact.length > 0 ? exact : found.filter(acceptsBody);
  if (another !== undefined) {
    const message = `Could not choose the best candidate function between ${exact.length} of ${SCHEMA}.${name}`;
    throw new RestError(300, "PGRST203", message, {
      hint: "Try renaming the parameters or the function itself in the database so function overloading can be resolved",
    });
  }
  if (only === undefined) throw unknownFunction(name, given, found.length > 0);
  return only;
}

function acceptsArguments({ names, defaults }: Routine, given: readonly string[]): boolean {
  const required = names.slice(0, names.length - defaults);
  return given.every((name) => name !== "" && names.includes(name)) && required.every((name) => given.includes(name));
}

/** Whether the function takes the whole body as its one unnamed argument. */
function acceptsBody({ names, types }: Routine): boolean {
  return names.length === 1 && names[0] === "" && (types[0] === "json" || types[0] === "jsonb");
}

function unknownFunction(name: string, given: readonly string[], exists: boolean): RestError {
  const list = given.join(", ");
  const signature = given.length === 0 ? `${SCHEMA}.${name} without parameters` : `${SCHEMA}.${name}(${list})`;
  const searched = given.length === 0 ? "without parameters" : `with parameter${given.length === 1 ? "" : "s"} ${list}`;
  return new RestError(404, "PGRST202", `Could not find the function ${signature} in the schema cache`, {
    details:
      `Searched for the function ${SCHEMA}.${name} ${searched} or with a single unnamed json/jsonb parameter, ` +
      "but no matches were found in the schema cache.",
    hint: exists ? "A function of that name takes other parameters" : null,
  });
}

/**
 * Returns the statement that calls a function. Its parameter is the arguments as JSON text. It returns one row: `body`, the
 * result as JSON text, and `count`, the number of rows of the result.
 */
export function callStatement(name: string, found: Routine, given: readonly string[]): string {
  const call = `${SCHEMA}.${pg.escapeIdentifier(name)}`;
  const { source, list } = acceptsBody(found)
    ? { source: "", list: `$1::${found.types[0]}` }
    : namedArguments(found, given);
  const value = found.is_composite ? "row_to_json(r)" : "to_json(r.value)";
  const rows = found.is_composite
    ? `select c.* from ${source} ${call}(${list}) c`
    : `select value from ${source} ${call}(${list}) as c (value)`;
  const body = found.is_set ? `coalesce(json_agg(${value}), '[]')` : `coalesce((json_agg(${value}))->0, 'null')`;
  return `select ${body}::text as body, count(*)::integer as count from (${rows}) r`;
}

function namedArguments(found: Routine, given: readonly string[]): { source: string; list: string } {
  if (given.length === 0) return { source: "(select $1::json) as unused,", list: "" };
  const columns = given.map((name) => `${pg.escapeIdentifier(name)} ${found.types[found.names.indexOf(name)]}`);
  const list = given.map((name) => `${pg.escapeIdentifier(name)} := a.${pg.escapeIdentifier(name)}`);
  return { source: `json_to_record($1::json) as a (${columns.join(", ")}),`, list: list.join(", ") };
}
