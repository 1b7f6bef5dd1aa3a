/** Reads all privileges in a database from its catalog. */
import * as z from "zod";
import type { Edge } from "#local/edge.ts";
import { sql } from "../../testing/sql.ts";

const rows = z.array(z.object({ held: z.string() }));

/**
 * Returns one line per privilege of a role other than the owner, and per membership, sorted. Partitions are omitted: their parent's privileges
 * apply, and their number depends on the day.
 */
export async function rightsIn(edge: Pick<Edge, "databaseUrl">): Promise<string[]> {
  const found = await sql(
    edge,
    `with holders as (
       select 'relation ' || c.oid::regclass as object, c.relacl as acl, c.relowner as owner from pg_class c
         where c.relnamespace::regnamespace::text !~ '^(pg_|information_schema)' and not c.relispartition
       union all select 'column ' || a.attrelid::regclass || '.' || a.attname, a.attacl, c.relowner
         from pg_attribute a join pg_class c on c.oid = a.attrelid
         where c.relnamespace::regnamespace::text !~ '^(pg_|information_schema)' and not c.relispartition
       union all select 'function ' || p.oid::regprocedure, coalesce(p.proacl, acldefault('f', p.proowner)), p.proowner from pg_proc p
         where p.pronamespace::regnamespace::text !~ '^(pg_|information_schema)'
       union all select 'schema ' || n.nspname, n.nspacl, n.nspowner from pg_namespace n
         where n.nspname !~ '^(pg_|information_schema)'
       union all select 'database ' || d.datname, d.datacl, d.datdba from pg_database d where d.datname = current_database()
       union all select 'default ' || coalesce(d.defaclnamespace::regnamespace::text, '') || ' ' || d.defaclobjtype::text, d.defaclacl, d.defaclrole
         from pg_default_acl d)
     select h.object || ': ' || case r.grantee when 0 then 'public' else r.grantee::regrole::text end || ' ' || r.privilege_type
       || case when r.is_grantable then ' with grant option' else '' end as held
     from holders h, aclexplode(h.acl) r where r.grantee <> h.owner
     union all
     select 'member of ' || m.roleid::regrole || ': ' || m.member::regrole
       || case when m.inherit_option then ' inherits' else '' end || case when m.set_option then ' sets' else '' end
       || case when m.admin_option then ' admin' else '' end
     from pg_auth_members m where m.roleid::regrole::text !~ '^pg_'
     union all
     select 'role ' || r.rolname || concat(':',
       case when r.rolsuper then ' superuser' end, case when r.rolcreaterole then ' createrole' end,
       case when r.rolcreatedb then ' createdb' end, case when r.rolcanlogin then ' login' end,
       case when r.rolbypassrls then ' bypassrls' end, case when not r.rolinherit then ' noinherit' end)
     from pg_roles r where r.rolname !~ '^pg_'`,
  );
  return rows
    .parse(found)
    .map(({ held }) => held)
    .toSorted();
}
