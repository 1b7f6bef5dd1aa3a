import * as cloudflare from "@pulumi/cloudflare";
import { account_id as accountId } from "../../../api/testing/api-server.ts";
import { declared } from "../../../plugin/testing/declared.ts";

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
    }),
  record: "ai_gateway",
  import: { type: "aiGateway:AiGateway", id: () => `${accountId}/pool-a` },
});
