/** The dashboard Worker's bindings, checked once an isolate. */
import * as z from "zod";
import { environments } from "#domain/environment.ts";
import { PLAN_CONTAINERS, plans } from "#domain/plans/plan.ts";
import { instanceTypes } from "#domain/tenants/instance-type.ts";
import type { DashboardBindings, TextNames } from "#workers/contracts/bindings.ts";
import { baseUrl, jsonOf, parseTexts, type UncheckedEnvOf } from "#workers/shared/env.ts";

const settings = z.object({
  ENVIRONMENT: z.enum(environments),
  PLATFORM_DOMAIN: z.string().min(1).toLowerCase(),
  /** `iss` of Access tokens; the keys lie under it. */
  ACCESS_ISSUER: baseUrl,
  /** Audience tag of the dashboard's own Access application. */
  ACCESS_AUD: z.string().min(1),
  CF_ACCOUNT_ID: z.string().min(1),
  CLOUDFLARE_API_URL: baseUrl,
  /** It stands in queries. */
  ANALYTICS_DATASET: z.string().regex(/^[a-z_]+$/),
  ANALYTICS_TOKEN: z.string().min(1),
  /** Whether a tenant that the pool has no room for gets a gateway of its own. */
  AI_GATEWAY_CREATE_DEDICATED: z
    .enum(["true", "false"])
    .default("true")
    .transform((value) => value === "true"),
  /** Instance type of each plan's containers. */
  CONTAINERS: jsonOf(z.record(z.enum(plans), z.enum(instanceTypes))).default(PLAN_CONTAINERS),
  /** What every page says. */
  NOTICE: z.string().min(1).optional(),
  PLATFORM_STACK: z.string().min(1),
  /** The dispatch Worker's place for the platform's own calls; without it or the token, tenants are not reached. */
  DISPATCH_URL: baseUrl.optional(),
  INVALIDATE_TOKEN: z.string().min(1).optional(),
  /** Bearer token of the automation service's news. */
  LIVE_TOKEN: z.string().min(16),
  /** Accepted too while the token is rotated. */
  OTHER_LIVE_TOKEN: z.string().min(16).optional(),
} satisfies Record<TextNames<DashboardBindings>, z.ZodType>);
export type Settings = z.infer<typeof settings>;

export type Env = UncheckedEnvOf<DashboardBindings> & { LIVE: DurableObjectNamespace };

/** @throws Error naming each binding that is missing or malformed, never its value */
export function parseSettings(env: Env): Settings {
  return parseTexts(settings, env);
}
