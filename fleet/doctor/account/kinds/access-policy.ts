/** Reusable Access policies that let a tenant's group pass, and nobody else. */
import * as z from "zod";
import { gone } from "../gone.ts";
import type { AccountArgs, AccountKind, Thing } from "../thing.ts";

const policy = z.object({
  id: z.string().optional(),
  name: z.string().optional(),
  decision: z.string().optional(),
  include: z.array(z.record(z.string(), z.unknown())).nullish(),
  app_count: z.number().nullish(),
  created_at: z.string().nullish(),
});
const SUFFIX = ": members";

function thing({ tenants }: AccountArgs, found: unknown): Thing[] {
  const { id, name = "", decision, include, created_at: createdAt = null } = policy.parse(found);
  const groupAlone = include?.length === 1 && Object.keys(include[0] ?? {}).join() === "group";
  if (id === undefined || !name.endsWith(SUFFIX) || decision !== "allow" || !groupAlone) return [];
  const tenant = tenants.of("accessApplication", name.slice(0, -SUFFIX.length));
  return tenant === undefined ? [] : [{ kind: "access_policy", id, identity: id, name, tenant, createdAt }];
}

export const accessPolicies: AccountKind = {
  kind: "access_policy",
  title: "Access policy",
  right: "Access: Apps and Policies (Read)",
  async list(args) {
    const { client, platform } = args;
    const things: Thing[] = [];
    for await (const one of client.zeroTrust.access.policies.list({ account_id: platform.accountId }))
      things.push(...thing(args, one));
    return things;
  },
  async find(args, { id }) {
    const { client, platform } = args;
    const found = await gone(client.zeroTrust.access.policies.get(id, { account_id: platform.accountId }));
    return found === undefined ? undefined : thing(args, found)[0];
  },
  async hold({ client, platform }, { id }) {
    const found = await gone(client.zeroTrust.access.policies.get(id, { account_id: platform.accountId }));
    const applications = policy.safeParse(found).data?.app_count ?? 0;
    return applications === 0 ? undefined : `Access applications use it: ${applications}`;
  },
  async remove({ client, platform }, { id }) {
    await client.zeroTrust.access.policies.delete(id, { account_id: platform.accountId });
  },
};
