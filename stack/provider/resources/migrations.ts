import { resource, UserError } from "@tenantry/plugin-host";
import * as z from "zod";
import { SchemaError } from "#database/schema/error.ts";
import { inspectSchema } from "#database/schema/inspect.ts";
import { schemaHash } from "#database/schema/source.ts";
import { upgradeSchema } from "#database/schema/upgrade.ts";
import { installQueue } from "#database/work/queue.ts";
import type { Clients } from "../clients.ts";
import { runTransaction } from "../database/pool.ts";

const inputs = z.object({
  contentHash: z.string(),
  release: z.string(),
  queue: z.object({ schema: z.string(), role: z.string(), version: z.string() }).optional(),
});
type Inputs = z.infer<typeof inputs>;

interface Outputs {
  version: string;
}

const ID = "tenantry";

async function runSchemaMigrations(clients: Clients, { contentHash, queue }: Inputs): Promise<Outputs> {
  if (schemaHash() !== contentHash) {
    throw new UserError("The files of the database schema changed while the deployment ran. Run it again.");
  }
  try {
    const { migration } = await upgradeSchema(clients.databaseUrl(), {
      roles: queue === undefined ? [] : [queue.role],
    });
    if (queue !== undefined) await installQueue(clients.databaseUrl(), queue);
    return { version: migration };
  } catch (error) {
    if (error instanceof SchemaError) throw new UserError(error.message);
    throw error;
  }
}

export const migrations = resource<Clients, Inputs, Outputs>({
  type: "tenantry:index:Migrations",
  inputs,
  removes: "Nothing: the schemas and their data stay.",
  // Drops other inputs in states of version 0.1.0.
  relevant: ({ contentHash, release, queue }) => ({ contentHash, release, ...(queue && { queue }) }),
  volatile: (changed) => (changed.has("contentHash") ? ["version"] : []),
  identity: () => ID,

  create: async (clients, given) => ({ id: ID, outputs: await runSchemaMigrations(clients, given) }),

  async read(clients, _id, known) {
    const { migration, findings } = await runTransaction(clients.database(), inspectSchema);
    if (migration === undefined) return undefined;
    const declared = known?.inputs ?? { contentHash: "", release: "" };
    // With an empty hash the next run repairs the findings.
    const found = findings.length > 0 ? { ...declared, contentHash: "" } : declared;
    return { inputs: found, outputs: { version: migration } };
  },

  update: (clients, _id, now) => runSchemaMigrations(clients, now),

  delete: async () => {},
});
