import type { Properties } from "@tenantry/plugin-host";
import * as z from "zod";
import { splitWords } from "../../api/operations.ts";
import type { PluginPart } from "../../plugin/part.ts";

export const plugin: PluginPart = {
  resources: [
    {
      type: "cloudflare:index/aiGateway:AiGateway",
      collection: "/accounts/{accountId}/ai-gateway/gateways",
      required: splitWords(`
        accountId aiGatewayId cacheInvalidateOnUpdate cacheTtl collectLogs rateLimitingInterval
        rateLimitingLimit
      `),
      optional: splitWords(`
        authentication byokOnly dlp guardrails logClassification logManagement logManagementStrategy logpush
        logpushPublicKey otels rateLimitingTechnique retryBackoff retryDelay retryMaxAttempts spendLimits
        zdr
      `),
      replaceOn: ["accountId", "aiGatewayId"],
      removes: "The gateway, its logs and its spend counters. Calls to its address fail.",
      namedBy: "aiGatewayId",
      renames: { aiGatewayId: "id", otels: "otel" },
      // `limitType` is the API's name, and metadata has keys of users.
      verbatim: ["spendLimits"],
      body: (body) => withSpendLimits(body, "provider", "aiGatewayProvider"),
      answer: (record) => withSpendLimits(record, "aiGatewayProvider", "provider"),
      outputs: {
        byokOnly: null,
        isDefault: null,
        logClassification: null,
        logManagement: null,
        logManagementStrategy: null,
        logpush: null,
        otels: null,
        spendLimits: null,
        storeId: null,
        workersAiBillingMode: null,
        zdr: null,
      },
      importId: "{accountId}",
    },
  ],
};

const limits = z.looseObject({ rules: z.array(z.looseObject({})).optional() });

/** `provider` is reserved in Pulumi programs, so Cloudflare's provider renames it. */
function withProviderAs(name: string, before: string, spendLimits: unknown): unknown {
  const parsed = limits.safeParse(spendLimits);
  if (!parsed.success || parsed.data.rules === undefined) return spendLimits;
  const rules = parsed.data.rules.map(({ [before]: provider, ...rule }) => ({
    ...rule,
    ...(provider === undefined ? {} : { [name]: provider }),
  }));
  return { ...parsed.data, rules };
}

function withSpendLimits(body: Properties, name: string, before: string): Properties {
  if (body.spend_limits === undefined) return body;
  return { ...body, spend_limits: withProviderAs(name, before, body.spend_limits) };
}
