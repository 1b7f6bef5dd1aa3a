/** Live functions, views, triggers and policies, by the identities of the routine files. */

import { SCHEMAS } from "../callers/grants.ts";
import type { Queryable } from "./bookkeeping.ts";
import type { RoutineKind } from "./routine.ts";

export interface LiveRoutine {
  kind: RoutineKind;
  identity: string;
  /** Changes with the definition, and with public execution of a function. */
  hash: string;
}

/** Partitions have copies of their table's triggers, which are omitted. */
const LIVE = `
  select kind, kind || ' ' || name as identity, md5(string_agg(definition, E'\\n' order by definition)) as hash
  from (
    select 'function' as kind, format('%s.%s', pronamespace::regnamespace, proname) as name,
      pg_get_functiondef(oid) || (proacl is null or proacl::text ~ '[{,]=X')::text as definition
    from pg_proc where pronamespace = any ($1::regnamespace[]) and prokind = 'f'
    union all
    select 'view', oid::regclass::text, pg_get_viewdef(oid)
    from pg_class where relnamespace = any ($1::regnamespace[]) and relkind = 'v'
    union all
    select 'trigger', format('%s on %s', tgname, tgrelid::regclass), pg_get_triggerdef(t.oid) || tgenabled::text
    from pg_trigger t join pg_class c on c.oid = tgrelid
    where c.relnamespace = any ($1::regnamespace[]) and not tgisinternal and tgparentid = 0
    union all
    select 'policy', format('%s on %s', polname, polrelid::regclass),
      concat_ws(' ', polcmd::text, polpermissive, polroles::text, pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid))
    from pg_policy p join pg_class c on c.oid = polrelid where c.relnamespace = any ($1::regnamespace[])) objects
  group by kind, name`;

/** Returns the routines by identity. Overloads count as one function. */
export async function liveRoutines(client: Queryable): Promise<Map<string, LiveRoutine>> {
  // With an empty path, names include their schema.
  await client.query("set local search_path = ''");
  const { rows } = await client.query<LiveRoutine>(LIVE, [[...SCHEMAS]]);
  return new Map(rows.map((row) => [row.identity, row]));
}
