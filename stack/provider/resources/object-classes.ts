import { moduleFile, uploadForm } from "@tenantry/cloudflare-client/scripts";
import { resource, UserError } from "@tenantry/plugin-host";
import type Cloudflare from "cloudflare";
import * as z from "zod";
import type { Clients } from "../clients.ts";

const COMPATIBILITY_DATE = "2026-01-01";
const STUB = "stub.js";

const inputs = z.object({
  accountId: z.string().min(1),
  scriptName: z.string().min(1),
  tag: z.string().min(1),
  sqliteClasses: z.array(z.string().regex(/^[A-Za-z_$][\w$]*$/)).min(1),
});
type Inputs = z.infer<typeof inputs>;

function parseId(id: string): { accountId: string; scriptName: string } {
  const [accountId, scriptName, ...rest] = id.split("/");
  if (!accountId || !scriptName || rest.length > 0) {
    throw new UserError(`'${id}' is not an id of a script; it reads '{accountId}/{scriptName}'.`);
  }
  return { accountId, scriptName };
}

/** The tag of a script's last migration; undefined without one, or without the script. */
async function liveTag(client: Cloudflare, accountId: string, scriptName: string): Promise<string | undefined> {
  for await (const script of client.workers.scripts.list({ account_id: accountId })) {
    if (script.id === scriptName) return script.migration_tag;
  }
  return undefined;
}

/** A Worker that has the classes, and does nothing until the real one is uploaded over it. */
function stub(classes: readonly string[]): File {
  const code = [
    ...classes.map((name) => `export class ${name} {}`),
    'export default { fetch: () => new Response("Starting", { status: 503, headers: { "retry-after": "5" } }) };',
  ].join("\n");
  return moduleFile({ name: STUB, bytes: Buffer.from(code) });
}

/**
 * The Durable Object classes of an account's script, made before the script itself: the vendor's own resource repeats a script's migration
 * with each upload, and the API refuses one that was made.
 */
export const objectClasses = resource<Clients, Inputs, Record<never, never>>({
  type: "tenantry:index:ObjectClasses",
  inputs,
  replaceOn: ["accountId", "scriptName", "tag", "sqliteClasses"],
  removes: "Nothing: the classes go with their script.",
  identity: ({ accountId, scriptName }) => `${accountId}/${scriptName}`,

  async create(clients, { accountId, scriptName, tag, sqliteClasses }) {
    const client = clients.cloudflare();
    const live = await liveTag(client, accountId, scriptName);
    if (live !== undefined && live !== tag) {
      throw new UserError(
        `The script '${scriptName}' has classes of another kind (migration ${live}); delete it first.`,
      );
    }
    if (live === undefined) {
      const metadata = {
        main_module: STUB,
        compatibility_date: COMPATIBILITY_DATE,
        migrations: { new_tag: tag, new_sqlite_classes: sqliteClasses },
      };
      const path = `/accounts/${encodeURIComponent(accountId)}/workers/scripts/${encodeURIComponent(scriptName)}`;
      await client.put(path, { body: uploadForm(metadata, [stub(sqliteClasses)]), headers: { "Content-Type": null } });
    }
    return { id: `${accountId}/${scriptName}`, outputs: {} };
  },

  async read(clients, id, known) {
    const { accountId, scriptName } = parseId(id);
    const tag = await liveTag(clients.cloudflare(), accountId, scriptName);
    if (tag === undefined) return undefined;
    return { inputs: { accountId, scriptName, tag, sqliteClasses: known?.inputs.sqliteClasses ?? [] }, outputs: {} };
  },

  // They go with the script.
  delete: () => Promise.resolve(),
});
