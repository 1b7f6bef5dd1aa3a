import * as z from "zod";
import { installQueue } from "../../database/work/queue.ts";
import { UserError } from "../../plugin-host/errors.ts";
import { resource } from "../../plugin-host/resource.ts";
import type { Clients } from "../clients.ts";
import { contentHash } from "../content/content-hash.ts";
import { migrate } from "../database/dbmate.ts";
import { quotedTable, tableName } from "../database/identifier.ts";
import { transaction } from "../database/pool.ts";

const inputs = z.object({
  directory: z.string(),
  contentHash: z.string(),
  table: tableName.default("public.schema_migrations"),
  queue: z.object({ schema: z.string(), role: z.string(), version: z.string() }).optional(),
});
type Inputs = z.infer<typeof inputs>;

interface Outputs {
  /** The latest migration that has run; empty when none has. */
  version: string;
}

/** The latest version in the migrations table; undefined when there is no such table. */
async function liveVersion(clients: Clients, table: string): Promise<string | undefined> {
  const pool = clients.database();
  const exists = await pool.query<{ found: boolean }>("select to_regclass($1) is not null as found", [
    quotedTable(table),
  ]);
  if (exists.rows[0]?.found !== true) return undefined;
  const latest = await pool.query<{ version: string | null }>(
    `select max(version) as version from ${quotedTable(table)}`,
  );
  return latest.rows[0]?.version ?? "";
}

async function run(clients: Clients, { directory, contentHash: expected, table, queue }: Inputs): Promise<Outputs> {
  if (contentHash(directory) !== expected) {
    throw new UserError(`The migrations in ${directory} changed while the deployment ran; run it again.`);
  }
  // Stacks of several environments bring one database up to date, perhaps at the same moment: one after the other.
  await transaction(clients.database(), async (client) => {
    await client.query("select pg_advisory_xact_lock(hashtext($1))", [`tenantry migrations ${table}`]);
    await migrate({ url: clients.databaseUrl(), directory, table });
    if (queue !== undefined) await installQueue(clients.databaseUrl(), queue);
  });
  return { version: (await liveVersion(clients, table)) ?? "" };
}

/** The database's schema, brought up to date by dbmate. */
export const migrations = resource<Clients, Inputs, Outputs>({
  type: "tenantry:index:Migrations",
  inputs,
  replaceOn: ["table"],
  removes: "Nothing: the schemas and their data stay.",
  ignore: ["directory"],
  volatile: (changed) => (changed.has("contentHash") ? ["version"] : []),
  identity: ({ table }) => table,

  create: async (clients, given) => ({ id: given.table, outputs: await run(clients, given) }),

  async read(clients, id, known) {
    const table = known?.inputs.table ?? tableName.parse(id);
    const version = await liveVersion(clients, table);
    if (version === undefined) return undefined;
    const as = known?.inputs ?? { directory: "", contentHash: "", table };
    // Another version than the one this resource left: the next run looks again.
    const drifted = known !== undefined && version !== known.outputs.version;
    return { inputs: drifted ? { ...as, contentHash: "" } : as, outputs: { version } };
  },

  update: (clients, _id, now) => run(clients, now),

  // Data outlives the stack.
  delete: async () => {},
});
