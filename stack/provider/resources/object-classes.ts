import { LATE_LIST_MS, readLate, systemClock } from "@tenantry/cloudflare-client/late-list";
import { undefinedIfNotFound } from "@tenantry/cloudflare-client/not-found";
import { moduleFile, uploadForm } from "@tenantry/cloudflare-client/scripts";
import { resource, UserError } from "@tenantry/plugin-host";
import type Cloudflare from "cloudflare";
import * as z from "zod";
import { errorText } from "#domain/errors/catalogue.ts";
import { providerErrors } from "#domain/errors/stack/provider.ts";
import type { Clients } from "../clients.ts";
import { createOnce, NO_RETRY } from "../create-once.ts";
import { parseResourceId } from "../resource-id.ts";

const COMPATIBILITY_DATE = "2026-01-01";
const STUB = "stub.js";

const inputs = z.object({
  accountId: z.string().min(1),
  scriptName: z.string().min(1),
  tag: z.string().min(1),
  sqliteClasses: z.array(z.string().regex(/^[A-Za-z_$][\w$]*$/)).min(1),
});
type Inputs = z.infer<typeof inputs>;

const parseId = (id: string) => parseResourceId(id, "a script", ["accountId", "scriptName"] as const);

/** Returns the tag, which only the list has; undefined for a script without one, and without a script. */
async function liveTag(client: Cloudflare, account_id: string, scriptName: string): Promise<string | undefined> {
  const { scriptAndVersionSettings: settings } = client.workers.scripts;
  // The list may lack a new script, and may still have a deleted one.
  if ((await undefinedIfNotFound(settings.get(scriptName, { account_id }))) === undefined) return undefined;
  const find = async () => {
    for await (const script of client.workers.scripts.list({ account_id })) if (script.id === scriptName) return script;
    return undefined;
  };
  return (await readLate(find, systemClock.now() + LATE_LIST_MS))?.migration_tag;
}

/** Builds a Worker with empty classes, which the real upload replaces. */
function stubModule(classes: readonly string[]): File {
  const code = [
    ...classes.map((name) => `export class ${name} {}`),
    'export default { fetch: () => new Response("Starting", { status: 503, headers: { "retry-after": "5" } }) };',
  ].join("\n");
  return moduleFile({ name: STUB, bytes: Buffer.from(code) });
}

/** The vendor's script resource would repeat a migration with each upload, which the API rejects, so the classes are created before. */
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
      throw new UserError(errorText(providerErrors.object_classes_differ, { script: scriptName, tag: live }));
    }
    if (live === undefined) {
      const metadata = {
        main_module: STUB,
        compatibility_date: COMPATIBILITY_DATE,
        migrations: { new_tag: tag, new_sqlite_classes: sqliteClasses },
      };
      const path = `/accounts/${encodeURIComponent(accountId)}/workers/scripts/${encodeURIComponent(scriptName)}`;
      const body = uploadForm(metadata, [stubModule(sqliteClasses)]);
      await createOnce(
        async () => void (await client.put(path, { body, headers: { "Content-Type": null }, ...NO_RETRY })),
        async () => (await liveTag(client, accountId, scriptName)) === tag || undefined,
        { isUnique: true },
      );
    }
    return { id: `${accountId}/${scriptName}`, outputs: {} };
  },

  async read(clients, id, known) {
    const { accountId, scriptName } = parseId(id);
    const tag = await liveTag(clients.cloudflare(), accountId, scriptName);
    if (tag === undefined) return undefined;
    return { inputs: { accountId, scriptName, tag, sqliteClasses: known?.inputs.sqliteClasses ?? [] }, outputs: {} };
  },

  delete: () => Promise.resolve(),
});
