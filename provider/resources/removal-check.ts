import { z } from "zod";
import type { Clients } from "../clients.ts";
import { columnName, tableName } from "../database/identifier.ts";
import { ownRow } from "../database/owned-row.ts";
import { transaction } from "../database/pool.ts";
import { Table } from "../database/row.ts";
import { databaseWording } from "../database/wording.ts";
import { sentence, UserError } from "../host/errors.ts";
import { resource } from "../host/resource.ts";

const inputs = z.object({
  name: z.string().min(1),
  records: z
    .array(z.object({ table: tableName, key: z.record(columnName, z.union([z.string(), z.number(), z.boolean()])) }))
    .min(1),
  owner: z.string().default(""),
});
type Inputs = z.infer<typeof inputs>;

/** Ends a transaction whose changes were only tried. */
class Tried extends Error {}

/**
 * Stands for what depends on it being removable: it is deleted first, and refuses that when the database would refuse to delete
 * the rows, or they are another stack's. Nothing is written.
 */
export const removalCheck = resource<Clients, Inputs, object>({
  type: "tenantry:index:RemovalCheck",
  inputs,
  replaceOn: ["name"],
  owned: true,
  identity: ({ name }) => name,

  create: async (_clients, { name }) => ({ id: name, outputs: {} }),
  // It exists in the state alone.
  read: async (_clients, _id, known) => known,
  update: async () => ({}),

  async delete(clients, _id, { inputs: { name, records, owner } }) {
    try {
      await transaction(clients.database(), async (client) => {
        for (const { table: of, key } of records) {
          const table = await Table.describe(client, of);
          await ownRow(client, table, { key, owner });
          await table.delete(client, key);
        }
        throw new Tried();
      });
    } catch (error) {
      if (error instanceof Tried) return;
      throw new UserError(`${name} is not removed, nor anything of it: ${sentence(error, databaseWording)}`);
    }
  },
});
