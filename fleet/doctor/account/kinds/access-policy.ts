import { undefinedIfNotFound } from "@tenantry/cloudflare-client/not-found";
import * as z from "zod";
import { MEMBERS_POLICY, SERVICES_POLICY } from "#domain/access/member-group.ts";
import { accountKind } from "../account-resource.ts";

const policy = z.object({
  id: z.string().optional(),
  name: z.string().optional(),
  decision: z.string().optional(),
  include: z.array(z.record(z.string(), z.unknown())).nullish(),
  app_count: z.number().nullish(),
  created_at: z.string().nullish(),
});
/** Decisions by the end of the policy's name. */
const DECISIONS = { [`: ${MEMBERS_POLICY}`]: "allow", [`: ${SERVICES_POLICY}`]: "non_identity" };

export const accessPolicies = accountKind("access_policy", {
  title: "Access policy",
  right: "Access: Apps and Policies (Read)",
  list: ({ client, account }) => client.zeroTrust.access.policies.list(account),
  get: ({ client, account }, id) => client.zeroTrust.access.policies.get(id, account),
  remove: ({ client, account }, id) => client.zeroTrust.access.policies.delete(id, account),
  async hold({ client, platform }, id) {
    const found = await undefinedIfNotFound(
      client.zeroTrust.access.policies.get(id, { account_id: platform.accountId }),
    );
    const applications = policy.safeParse(found).data?.app_count ?? 0;
    return applications === 0 ? undefined : `Access applications use it: ${applications}`;
  },
  parse({ tenants }, record) {
    const { id, name = "", decision, include, created_at: createdAt = null } = policy.parse(record);
    const groupAlone = include?.length === 1 && Object.keys(include[0] ?? {}).join() === "group";
    const suffix = Object.entries(DECISIONS).find(([end, of]) => name.endsWith(end) && decision === of)?.[0];
    if (id === undefined || suffix === undefined || !groupAlone) return undefined;
    const tenant = tenants.of("accessApplication", name.slice(0, -suffix.length));
    return tenant === undefined ? undefined : { id, name, tenant, createdAt };
  },
});
