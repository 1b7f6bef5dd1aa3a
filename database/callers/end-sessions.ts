import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";

type Client = Pick<pg.ClientBase, "query">;

/** Time for running statements to finish. */
const PATIENCE_MS = 10_000;
const PAUSE_MS = 100;

/**
 * Ends the sessions of a role that can no longer log in. Runs within the caller's transaction, in which an owner without superuser
 * rights becomes a member of the role, because only members may end its sessions.
 * @throws Error if the role can log in
 */
export async function endSessions(client: Client, role: string, patienceMs = PATIENCE_MS): Promise<void> {
  const { rows } = await client.query<{ login: boolean; member: boolean; user: string }>(
    `select rolcanlogin as login, pg_has_role(oid, 'usage') as member, current_user::text as user from pg_roles where rolname = $1`,
    [role],
  );
  const [found] = rows;
  if (found === undefined) return;
  if (found.login) throw new Error(`The role ${role} can still log in, so its sessions were not ended.`);
  const membership = [role, found.user].map((name) => pg.escapeIdentifier(name));
  if (!found.member) await client.query(`grant ${membership.join(" to ")}`);
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const isLate = performance.now() > deadline;
    // Otherwise a transaction sees the same session statistics each time.
    await client.query("select pg_stat_clear_snapshot()");
    const sessions = await client.query<{ busy: boolean }>(
      `select state <> 'idle' as busy, case when state = 'idle' or $2 then pg_terminate_backend(pid, 5000) end
       from pg_stat_activity where usename = $1`,
      [role, isLate],
    );
    if (isLate || !sessions.rows.some(({ busy }) => busy)) break;
    await pause(PAUSE_MS);
  }
  if (!found.member) await client.query(`revoke ${membership.join(" from ")}`);
}
