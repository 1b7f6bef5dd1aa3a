import { resource, UserError } from "@tenantry/plugin-host";
import pg from "pg";
import * as z from "zod";
import { runTransaction } from "#stack/provider/database/pool.ts";
import type { Connection } from "./connection.ts";

const { escapeIdentifier } = pg;

const inputs = z.strictObject({
  role: z.string(),
  grantRole: z.string(),
  withAdminOption: z.boolean().default(false),
});
type Inputs = z.infer<typeof inputs>;

const idOf = ({ role, grantRole, withAdminOption }: Inputs) => `${role}_${grantRole}_${withAdminOption}`;

const revokeRoleSql = ({ role, grantRole }: Inputs) =>
  `REVOKE ${escapeIdentifier(grantRole)} FROM ${escapeIdentifier(role)}`;

/** Membership of a role in another. Every change replaces. Like the vendor's plugin it takes no lock. */
export const grantRole = resource<Connection, Inputs, object>({
  type: "postgresql:index/grantRole:GrantRole",
  inputs,
  replaceOrder: "create-first",
  keepsCreated: false,
  removes:
    "The membership of the role in the other, also the one that a new resource for the same two has just made. It fails when one of the roles no longer exists.",
  identity: idOf,

  async create(connection, given) {
    const option = given.withAdminOption ? " WITH ADMIN OPTION" : "";
    await runTransaction(connection.pool(), async (client) => {
      await client.query(revokeRoleSql(given));
      await client.query(`GRANT ${escapeIdentifier(given.grantRole)} TO ${escapeIdentifier(given.role)}${option}`);
    });
    return { id: idOf(given), outputs: {} };
  },

  async read(connection, _id, known) {
    if (known === undefined) {
      throw new UserError("A membership cannot be imported. Declare it, and the next update sets it.");
    }
    const { inputs: given } = known;
    const { rows } = await connection.pool().query<{ admin: boolean }>(
      `select admin_option as admin from pg_auth_members
       where pg_get_userbyid(member) = $1 and pg_get_userbyid(roleid) = $2 limit 1`,
      [given.role, given.grantRole],
    );
    const [live] = rows;
    return live && { inputs: { ...given, withAdminOption: live.admin }, outputs: {} };
  },

  async delete(connection, _id, { inputs: given }) {
    await connection.pool().query(revokeRoleSql(given));
  },
});
