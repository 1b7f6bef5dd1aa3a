import * as z from "zod";

const action = z.enum(["BLOCK", "FLAG"]);
const dlp = z.union([
  z.looseObject({ enabled: z.boolean(), action, profiles: z.array(z.string()) }),
  z.looseObject({
    enabled: z.boolean(),
    policies: z.array(
      z.looseObject({
        id: z.string(),
        enabled: z.boolean(),
        action,
        check: z.array(z.enum(["REQUEST", "RESPONSE"])),
        profiles: z.array(z.string()),
      }),
    ),
  }),
]);

const dimension = z.union([
  z.looseObject({ mode: z.literal("partition") }),
  z.looseObject({ mode: z.literal("filter"), values: z.array(z.string()) }),
]);
const spendRule = z.looseObject({
  id: z.string().exactOptional(),
  enabled: z.boolean().exactOptional(),
  limitType: z.literal("cost"),
  /** US dollars. */
  limit: z.number().min(0),
  /** Seconds. */
  window: z.int().min(1),
  technique: z.enum(["fixed", "sliding"]).exactOptional(),
  metadata: z.record(z.string(), dimension).exactOptional(),
  model: dimension.exactOptional(),
  provider: dimension.exactOptional(),
});

export const gatewaySettings = z.looseObject({
  cache_invalidate_on_update: z.boolean(),
  /** Seconds; 0 or null disables caching. */
  cache_ttl: z.int().min(0).nullable(),
  collect_logs: z.boolean(),
  log_management: z.int().min(0).nullish(),
  log_management_strategy: z.enum(["STOP_INSERTING", "DELETE_OLDEST"]).nullish(),
  /** Seconds. */
  rate_limiting_interval: z.int().min(0).nullable(),
  rate_limiting_limit: z.int().min(0).nullable(),
  rate_limiting_technique: z.enum(["fixed", "sliding"]).nullish(),
  authentication: z.boolean().exactOptional(),
  byok_only: z.boolean().exactOptional(),
  dlp: dlp.exactOptional(),
  spend_limits: z
    .looseObject({ enabled: z.boolean().exactOptional(), rules: z.array(spendRule).max(20).exactOptional() })
    .nullish(),
});

export type GatewaySettings = z.infer<typeof gatewaySettings>;
export type DlpSettings = z.infer<typeof dlp>;
export type SpendRule = z.infer<typeof spendRule>;
export type SpendDimension = z.infer<typeof dimension>;
