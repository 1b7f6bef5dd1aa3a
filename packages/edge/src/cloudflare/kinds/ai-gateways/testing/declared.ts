import * as cloudflare from "@pulumi/cloudflare";
import { account_id as accountId } from "#cloudflare/api/testing/api-server.ts";
import { declared } from "#cloudflare/plugin/testing/declared.ts";

export const gateway = declared({
  make: ({ edition }) =>
    new cloudflare.AiGateway("pool-a", {
      accountId,
      aiGatewayId: "pool-a",
      authentication: true,
      collectLogs: true,
      cacheInvalidateOnUpdate: true,
      cacheTtl: edition,
      rateLimitingInterval: 0,
      rateLimitingLimit: 0,
      dlp: { enabled: true, action: "FLAG", profiles: ["financial"] },
      spendLimits: {
        enabled: true,
        rules: [
          {
            id: "each",
            limitType: "cost",
            limit: 5,
            window: 3600,
            metadata: { tenant_id: { mode: "partition" } },
            aiGatewayProvider: { mode: "filter", values: ["openai"] },
          },
        ],
      },
    }),
  record: "ai_gateway",
  import: { type: "aiGateway:AiGateway", id: () => `${accountId}/pool-a` },
});
