import * as z from "zod";
import { slugOfLabel } from "#domain/names/hostnames.ts";
import { type AccountArgs, accountKind } from "../account-resource.ts";

const script = z.object({ created_on: z.string(), script: z.object({ id: z.string() }) });
const listed = z.object({ result: z.array(z.unknown()) });
const PREFIX = "tenant-";

/** The SDK has no method for this list. */
async function* listScripts({ client, platform: { accountId, dispatchNamespace } }: AccountArgs) {
  const path = `/accounts/${encodeURIComponent(accountId)}/workers/dispatch/namespaces/${encodeURIComponent(dispatchNamespace)}/scripts`;
  yield* listed.parse(await client.get(path)).result;
}

const addressOf = ({ platform }: AccountArgs) => ({
  account_id: platform.accountId,
  dispatch_namespace: platform.dispatchNamespace,
});

export const scripts = accountKind("script", {
  title: "Worker",
  right: "Workers Scripts (Read)",
  list: listScripts,
  get: (args, id) => args.client.workersForPlatforms.dispatch.namespaces.scripts.get(id, addressOf(args)),
  remove: (args, id) =>
    args.client.workersForPlatforms.dispatch.namespaces.scripts.delete(id, { ...addressOf(args), force: true }),
  parse({ platform }, record) {
    const parsed = script.parse(record);
    const { id } = parsed.script;
    const createdAt = parsed.created_on;
    const tenant = id.startsWith(PREFIX) ? slugOfLabel(id.slice(PREFIX.length), platform.environment) : undefined;
    return tenant === undefined ? undefined : { id, identity: `${id}@${createdAt}`, name: id, tenant, createdAt };
  },
});
