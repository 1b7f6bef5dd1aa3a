/** Workers of tenants, which are all that the environment's dispatch namespace holds. */
import * as z from "zod";
import { slugOfLabel } from "#domain/names/hostnames.ts";
import { gone } from "../gone.ts";
import type { AccountArgs, AccountKind, Thing } from "../thing.ts";

const script = z.object({ created_on: z.string(), script: z.object({ id: z.string() }) });
const listed = z.object({ result: z.array(z.unknown()) });
const PREFIX = "tenant-";

function thing({ platform }: AccountArgs, found: unknown): Thing[] {
  const {
    created_on: createdAt,
    script: { id },
  } = script.parse(found);
  const tenant = id.startsWith(PREFIX) ? slugOfLabel(id.slice(PREFIX.length), platform.environment) : undefined;
  return tenant === undefined
    ? []
    : [{ kind: "script", id, identity: `${id}@${createdAt}`, name: id, tenant, createdAt }];
}

const pathOf = ({ platform }: AccountArgs) =>
  `/accounts/${encodeURIComponent(platform.accountId)}/workers/dispatch/namespaces/${encodeURIComponent(platform.dispatchNamespace)}/scripts`;

export const scripts: AccountKind = {
  kind: "script",
  title: "Worker",
  right: "Workers Scripts (Read)",
  // The SDK has no method for it.
  async list(args) {
    const { result } = listed.parse(await args.client.get(pathOf(args)));
    return result.flatMap((one) => thing(args, one));
  },
  async find(args, { id }) {
    const { client, platform } = args;
    const address = { account_id: platform.accountId, dispatch_namespace: platform.dispatchNamespace };
    const found = await gone(client.workersForPlatforms.dispatch.namespaces.scripts.get(id, address));
    return found === undefined ? undefined : thing(args, found)[0];
  },
  async remove({ client, platform }, { id }) {
    await client.workersForPlatforms.dispatch.namespaces.scripts.delete(id, {
      account_id: platform.accountId,
      dispatch_namespace: platform.dispatchNamespace,
      force: true,
    });
  },
};
