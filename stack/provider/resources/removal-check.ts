import { explain, resource, UserError } from "@tenantry/plugin-host";
import type pg from "pg";
import * as z from "zod";
import { isForeign, stackOf } from "#domain/tenants/owner.ts";
import type { Clients } from "../clients.ts";
import { rowKey, tableName } from "../database/identifier.ts";
import { AS_GIT, isHandedOver, ownRow } from "../database/owned-row.ts";
import { runTransaction } from "../database/pool.ts";
import { Table, type Values } from "../database/row.ts";
import { databaseWording } from "../database/wording.ts";
import { isSameStack } from "../ownership.ts";

const rows = z.array(z.object({ table: tableName, key: rowKey }));
const inputs = z.object({
  name: z.string().min(1),
  records: rows.default([]),
  sole: rows.default([]),
  owner: z.string().default(""),
});
type Inputs = z.infer<typeof inputs>;

const CLIENTS = "tenantry.clients";
const HANDED_OVER =
  "The dashboard manages this client. Delete it there. If a release was interrupted, run npm run fleet -- release again.";

class Rollback extends Error {
  override name = "Rollback";
}

async function refuseOthers(client: pg.PoolClient, table: Table, key: Values, owner: string): Promise<void> {
  const others = (await table.owners(client, key)).filter((found) => found === null || isForeign(found, owner));
  if (others.length === 0) return;
  const stacks = new Set(others.map((found) => (found === null ? "an unknown stack" : (stackOf(found) ?? found))));
  throw new UserError(`${table.name} has rows of ${[...stacks].toSorted().join(", ")}: destroy their resources first.`);
}

/**
 * Guards the resources that it depends on: it is deleted first, and fails if the database would refuse to delete the rows, or
 * another stack owns them or has rows in a `sole` table. It writes nothing.
 */
export const removalCheck = resource<Clients, Inputs, object>({
  type: "tenantry:index:RemovalCheck",
  inputs,
  replaceOn: ["name"],
  removes: "Nothing. It refuses while rows of the tenant, or of other stacks, are in the way.",
  owned: isSameStack,
  identity: ({ name }) => name,

  create: async (_clients, { name }) => ({ id: name, outputs: {} }),
  read: async (_clients, _id, known) => known,
  update: async () => ({}),

  async delete(clients, _id, { inputs: { name, records, sole, owner } }) {
    try {
      await runTransaction(clients.database(), async (client) => {
        for (const { table: name, key } of sole)
          await refuseOthers(client, await Table.describe(client, name), key, owner);
        for (const { table: name, key } of records) {
          const table = await Table.describe(client, name);
          const row = await ownRow(client, table, { key, owner });
          if (name === CLIENTS && isHandedOver(row, AS_GIT)) throw new UserError(HANDED_OVER);
          await table.delete(client, key);
        }
        throw new Rollback();
      });
    } catch (error) {
      if (error instanceof Rollback) return;
      const { message, detail } = explain(error, databaseWording);
      throw new UserError(`${name} was not removed, and nothing has changed. ${message}`, detail);
    }
  },
});
