import pg from "pg";
import * as z from "zod";
import { UserError } from "../../../plugin-host/errors.ts";
import { resource } from "../../../plugin-host/resource.ts";
import { catalogChange } from "./catalog-change.ts";
import type { Connection } from "./connection.ts";

const { escapeIdentifier } = pg;

const inputs = z.strictObject({
  role: z.string(),
  grantRole: z.string(),
  withAdminOption: z.boolean().default(false),
});
type Inputs = z.infer<typeof inputs>;

const idOf = ({ role, grantRole, withAdminOption }: Inputs) => `${role}_${grantRole}_${withAdminOption}`;

async function membership(pool: pg.Pool, { role, grantRole }: Inputs): Promise<{ admin: boolean } | undefined> {
  const found = await pool.query<{ admin: boolean }>(
    `select bool_or(admin_option) as admin from pg_auth_members
     where pg_get_userbyid(member) = $1 and pg_get_userbyid(roleid) = $2 having count(*) > 0`,
    [role, grantRole],
  );
  return found.rows[0];
}

/** Membership of a role in another. Every change replaces. */
export const grantRole = resource<Connection, Inputs, object>({
  type: "postgresql:index/grantRole:GrantRole",
  inputs,
  identity: idOf,

  async create(connection, given) {
    const option = given.withAdminOption ? "WITH ADMIN OPTION" : "";
    const [granted, to] = [escapeIdentifier(given.grantRole), escapeIdentifier(given.role)];
    await catalogChange(connection.pool(), async (client) => {
      await client.query(`GRANT ${granted} TO ${to} ${option}`);
    });
    return { id: idOf(given), outputs: {} };
  },

  async read(connection, _id, known) {
    if (known === undefined) throw new UserError("A membership cannot be imported: declare it, and it is made.");
    const live = await membership(connection.pool(), known.inputs);
    return live && { inputs: { ...known.inputs, withAdminOption: live.admin }, outputs: {} };
  },

  async delete(connection, _id, { inputs: given }) {
    const pool = connection.pool();
    if ((await membership(pool, given)) === undefined) return;
    await catalogChange(pool, async (client) => {
      await client.query(`REVOKE ${escapeIdentifier(given.grantRole)} FROM ${escapeIdentifier(given.role)}`);
    });
  },
});
