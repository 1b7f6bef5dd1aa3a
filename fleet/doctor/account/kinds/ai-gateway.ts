/** AI gateways of tenants' own. Those of the pool are called as their operator likes, so that no name tells them. */
import * as z from "zod";
import { gone } from "../gone.ts";
import type { AccountArgs, AccountKind, Thing } from "../thing.ts";

const gateway = z.object({
  id: z.string(),
  created_at: z.string(),
  authentication: z.boolean().nullish(),
  dlp: z.unknown().optional(),
});

function thing({ tenants }: AccountArgs, found: unknown): Thing[] {
  const { id, created_at: createdAt, authentication, dlp } = gateway.parse(found);
  const tenant = tenants.of("aiGateway", id);
  // Every gateway of the platform's demands a token and filters.
  if (tenant === undefined || authentication !== true || typeof dlp !== "object" || dlp === null) return [];
  return [{ kind: "ai_gateway", id, identity: `${id}@${createdAt}`, name: id, tenant, createdAt }];
}

export const aiGateways: AccountKind = {
  kind: "ai_gateway",
  title: "AI gateway",
  right: "AI Gateway (Read)",
  async list(args) {
    const { client, platform } = args;
    const things: Thing[] = [];
    for await (const one of client.aiGateway.list({ account_id: platform.accountId })) things.push(...thing(args, one));
    return things;
  },
  async find(args, { id }) {
    const { client, platform } = args;
    const found = await gone(client.aiGateway.get(id, { account_id: platform.accountId }));
    return found === undefined ? undefined : thing(args, found)[0];
  },
  async remove({ client, platform }, { id }) {
    await client.aiGateway.delete(id, { account_id: platform.accountId });
  },
};
