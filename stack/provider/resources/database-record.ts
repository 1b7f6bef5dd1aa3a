import { isObject, resource, UserError } from "@tenantry/plugin-host";
import type pg from "pg";
import * as z from "zod";
import { isForeign } from "#domain/tenants/owner.ts";
import type { Clients } from "../clients.ts";
import { columnName, rowKey, tableName } from "../database/identifier.ts";
import { isHandedOver, OWNER, ownerMark, ownRow } from "../database/owned-row.ts";
import { runTransaction } from "../database/pool.ts";
import { reportRefusalOnce } from "../database/refused-login.ts";
import { type Row, Table, type Values } from "../database/row.ts";
import { isSameStack } from "../ownership.ts";

const columns = z.record(columnName, z.unknown());
const keyColumns = rowKey.refine((key) => Object.keys(key).length > 0, { message: "must name at least one column" });
const inputs = z.object({
  table: tableName,
  key: keyColumns,
  values: columns.default({}),
  together: z.array(z.object({ key: keyColumns, values: columns })).default([]),
  initial: columns.default({}),
  owner: z.string().default(""),
  takeOver: z.boolean().default(false),
});
type Inputs = z.infer<typeof inputs>;

interface Outputs {
  /** The row's column `id` as text; empty if the table has none. */
  recordId: string;
}

function recordIdOf(table: string, key: Values): string {
  const pairs = Object.entries(key).map(([column, value]) => [column, String(value)]);
  const query = new URLSearchParams(pairs);
  query.sort();
  return `${table}/${query}`;
}

function parseId(id: string): { table: string; key: Record<string, string> } {
  const slash = id.indexOf("/");
  const table = id.slice(0, Math.max(slash, 0));
  const key = Object.fromEntries(new URLSearchParams(id.slice(slash + 1)));
  const parsed = z.object({ table: tableName, key: keyColumns }).safeParse({ table, key });
  if (!parsed.success) throw new UserError(`'${id}' is not an id of a record. Use 'schema.table/column=value'.`);
  return { table, key };
}

function outputsOf(row: Record<string, unknown> | undefined): Outputs {
  const id = row?.id;
  return { recordId: id === undefined || id === null ? "" : String(id) };
}

/** Returns declared values where the database finds them equal, else live ones. */
function liveValues(row: Row, declared: Values): Values {
  const entries = Object.entries(declared);
  return Object.fromEntries(entries.map(([name, value]) => [name, row.drifted.has(name) ? row.columns[name] : value]));
}

function importedValues(row: Row, table: Table, key: Values): Values {
  const own = Object.entries(row.columns).filter(
    ([name]) => !(name in key) && name !== "id" && name !== OWNER && !table.generated.has(name),
  );
  return Object.fromEntries(own);
}

/**
 * Changes several rows of the stack with deferred constraints. Rows are locked in the order of their keys and changed in that of
 * their values, which prevents deadlocks with the rows' own resources and with other stacks.
 */
async function changeTogether(client: pg.PoolClient, table: Table, { key, together, owner }: Inputs): Promise<void> {
  if (together.length === 0) return;
  await client.query("set constraints all deferred");
  const rows = new Map(together.map((row) => [recordIdOf(table.name, row.key), row]));
  const own: typeof together = [];
  for (const id of [...new Set([...rows.keys(), recordIdOf(table.name, key)])].toSorted()) {
    const row = rows.get(id);
    const live = await table.find(client, row?.key ?? key, {}, "for update");
    const liveOwner = live?.columns[OWNER];
    if (row !== undefined && live !== undefined && !(typeof liveOwner === "string" && isForeign(liveOwner, owner)))
      own.push(row);
  }
  const ordered = own.map((row) => ({ ...row, order: JSON.stringify(row.values) }));
  for (const row of ordered.toSorted((a, b) => (a.order < b.order ? -1 : 1))) {
    await table.update(client, row.key, row.values);
  }
}

export const databaseRecord = resource<Clients, Inputs, Outputs>({
  type: "tenantry:index:DatabaseRecord",
  inputs,
  replaceOn: ["table", "key"],
  removes: "The row, and the rows that the database deletes with it.",
  ignore: ["initial", "together", "takeOver"],
  owned: isSameStack,
  // Columns that are no longer declared keep their value.
  relevant: (old, now) => {
    if (!isObject(old.values) || !isObject(now.values)) return old;
    const declared = Object.entries(old.values).filter(([name]) => name in now.values);
    return { ...old, values: Object.fromEntries(declared) };
  },
  identity: ({ table, key }) => recordIdOf(table, key),

  async create(clients, given) {
    const { table: name, key, values, initial } = given;
    const row = await runTransaction(clients.database(), async (client) => {
      const table = await Table.describe(client, name);
      await changeTogether(client, table, given);
      const found = await ownRow(client, table, given);
      const written = { ...values, ...ownerMark(table, given.owner) };
      if (found === undefined) return table.insert(client, { ...initial, ...written, ...key });
      if (Object.keys(written).length > 0) await table.update(client, key, written);
      return found.columns;
    });
    return { id: recordIdOf(name, key), outputs: outputsOf(row) };
  },

  read: reportRefusalOnce(async (clients, id, known) => {
    const pool = clients.database();
    const { table: name, key } = known?.inputs ?? parseId(id);
    const table = await Table.describe(pool, name);
    const row = await table.find(pool, key, known?.inputs.values ?? {});
    if (row === undefined) return undefined;
    const outputs = outputsOf(row.columns);
    if (known !== undefined) {
      return { inputs: { ...known.inputs, values: liveValues(row, known.inputs.values) }, outputs };
    }
    const liveKey = keyColumns.parse(
      Object.fromEntries(Object.keys(key).map((column) => [column, row.columns[column]])),
    );
    const values = importedValues(row, table, key);
    return {
      inputs: { table: name, key: liveKey, values, initial: {}, together: [], owner: "", takeOver: false },
      outputs,
    };
  }),

  async update(clients, id, now, old) {
    await runTransaction(clients.database(), async (client) => {
      const table = await Table.describe(client, now.table);
      await changeTogether(client, table, now);
      if ((await ownRow(client, table, now, old.inputs.owner)) === undefined) {
        throw new UserError(
          `The row ${id} no longer exists. Run \`pulumi refresh\`, then \`pulumi up\` to create it again.`,
        );
      }
      const written = { ...now.values, ...ownerMark(table, now.owner) };
      if (Object.keys(written).length > 0) await table.update(client, now.key, written);
    });
    return old.outputs;
  },

  async delete(clients, _id, { inputs: given }) {
    await runTransaction(clients.database(), async (client) => {
      const table = await Table.describe(client, given.table);
      const row = await ownRow(client, table, { key: given.key, owner: given.owner });
      if (isHandedOver(row, given.values)) await table.update(client, given.key, { [OWNER]: null });
      else await table.delete(client, given.key);
    });
  },
});
