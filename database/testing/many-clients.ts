import type { TestDatabase } from "./test-database.ts";

/** Inserts clients `{prefix}-1` and on, each with an instance and a validated user, and analyzes the tables. */
export async function addClients({ pool }: TestDatabase, prefix: string, count: number): Promise<void> {
  const connection = await pool.connect();
  try {
    // Triggers would queue a job and write an audit entry for each.
    await connection.query("set session_replication_role = replica");
    await connection.query(
      `with client as (
       insert into tenantry.clients (slug, name, billing_plan, status)
       select $1 || '-' || n, 'Client ' || n, 'pro', 'production' from generate_series(1, $2::int) n returning id, slug),
     instance as (
       insert into tenantry.instances (client_id, environment, worker_name, status)
       select id, 'production', 'tenant-' || slug, 'running' from client returning id, client_id),
     person as (
       insert into tenantry.users (email) select slug || '@users.test' from client returning id, email),
     member as (
       insert into tenantry.client_users (client_id, user_id, email, role, status, validated_at)
       select client.id, person.id, person.email, 'ADMIN', 'validated', now()
       from client join person on person.email = client.slug || '@users.test' returning id, client_id)
     insert into tenantry.client_user_instances (client_user_id, instance_id)
     select member.id, instance.id from member join instance using (client_id)`,
      [prefix, count],
    );
    await connection.query("analyze");
  } finally {
    // The connection must not be reused without triggers.
    connection.release(true);
  }
}
