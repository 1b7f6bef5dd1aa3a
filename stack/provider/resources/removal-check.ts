import { explain, resource, UserError } from "@tenantry/plugin-host";
import type pg from "pg";
import * as z from "zod";
import { isForeign, stackOf } from "#domain/tenants/owner.ts";
import type { Clients } from "../clients.ts";
import { columnName, tableName } from "../database/identifier.ts";
import { AS_GIT, isHandedOver, ownRow } from "../database/owned-row.ts";
import { transaction } from "../database/pool.ts";
import { Table, type Values } from "../database/row.ts";
import { databaseWording } from "../database/wording.ts";
import { isSameStack } from "../ownership.ts";

const rows = z.array(
  z.object({ table: tableName, key: z.record(columnName, z.union([z.string(), z.number(), z.boolean()])) }),
);
const inputs = z.object({
  name: z.string().min(1),
  records: rows.default([]),
  sole: rows.default([]),
  owner: z.string().default(""),
});
type Inputs = z.infer<typeof inputs>;

/** A stack has the row of a client that Git declares, and of no other. */
const CLIENTS = "tenantry.clients";
const HANDED_OVER =
  "The dashboard manages this client: it is removed there. The stack is the dashboard's too when npm run fleet -- release has ended.";

/** Ends a transaction whose changes were only tried. */
class Tried extends Error {
  override name = "Tried";
}

/** @throws UserError when rows that have `key` are another stack's, or nobody's, naming the stacks */
async function refuseOthers(client: pg.PoolClient, table: Table, key: Values, owner: string): Promise<void> {
  const others = (await table.owners(client, key)).filter((found) => found === null || isForeign(found, owner));
  if (others.length === 0) return;
  const stacks = [
    ...new Set(others.map((found) => (found === null ? "no stack that says so" : (stackOf(found) ?? found)))),
  ];
  throw new UserError(`${table.name} has rows of ${stacks.toSorted().join(", ")}: destroy what they stand for first.`);
}

/**
 * Stands for what depends on it being removable: it is deleted first, and refuses that when the database would refuse to delete
 * the rows, or they are another stack's, or another stack has rows of those that are to be this one's alone. Nothing is written.
 */
export const removalCheck = resource<Clients, Inputs, object>({
  type: "tenantry:index:RemovalCheck",
  inputs,
  replaceOn: ["name"],
  removes: "Nothing. It refuses while rows of the tenant, or of other stacks, are in the way.",
  owned: isSameStack,
  identity: ({ name }) => name,

  create: async (_clients, { name }) => ({ id: name, outputs: {} }),
  // It exists in the state alone.
  read: async (_clients, _id, known) => known,
  update: async () => ({}),

  async delete(clients, _id, { inputs: { name, records, sole, owner } }) {
    try {
      await transaction(clients.database(), async (client) => {
        for (const { table: of, key } of sole) await refuseOthers(client, await Table.describe(client, of), key, owner);
        for (const { table: of, key } of records) {
          const table = await Table.describe(client, of);
          const row = await ownRow(client, table, { key, owner });
          if (of === CLIENTS && isHandedOver(row, AS_GIT)) throw new UserError(HANDED_OVER);
          await table.delete(client, key);
        }
        throw new Tried();
      });
    } catch (error) {
      if (error instanceof Tried) return;
      const { message, detail } = explain(error, databaseWording);
      throw new UserError(`${name} was not removed, and nothing has changed. ${message}`, detail);
    }
  },
});
