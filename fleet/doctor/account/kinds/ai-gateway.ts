/** AI gateways of single tenants. Operators name the gateways of a pool, so a name does not identify those. */
import * as z from "zod";
import { accountKind } from "../account-resource.ts";

const gateway = z.object({
  id: z.string(),
  created_at: z.string(),
  authentication: z.boolean().nullish(),
  dlp: z.unknown().optional(),
});

export const aiGateways = accountKind("ai_gateway", {
  title: "AI gateway",
  right: "AI Gateway (Read)",
  list: ({ client, account }) => client.aiGateway.list(account),
  get: ({ client, account }, id) => client.aiGateway.get(id, account),
  remove: ({ client, account }, id) => client.aiGateway.delete(id, account),
  parse({ tenants }, record) {
    const { id, created_at: createdAt, authentication, dlp } = gateway.parse(record);
    const tenant = tenants.of("aiGateway", id);
    // Each gateway of a platform requires a token and has DLP.
    if (tenant === undefined || authentication !== true || typeof dlp !== "object" || dlp === null) return undefined;
    return { id, identity: `${id}@${createdAt}`, name: id, tenant, createdAt };
  },
});
