/** The dashboard Worker's bindings, checked once per isolate. */
import * as z from "zod";
import { channelKinds } from "#domain/channels/kinds.ts";
import { egressBound } from "#domain/egress/policy-types.ts";
import { environments } from "#domain/environment.ts";
import { PLAN_CONTAINERS, plans } from "#domain/plans/plan.ts";
import { keyProviders } from "#domain/provider-keys/providers.ts";
import { instanceTypes } from "#domain/tenants/instance-type.ts";
import type { DashboardBindings, TextNames } from "#workers/contracts/bindings.ts";
import type { DoorKeys } from "#workers/shared/doors/door-secrets.ts";
import { baseUrl, jsonOf, parseTexts, type UncheckedEnvOf } from "#workers/shared/env.ts";

const settings = z.object({
  ENVIRONMENT: z.enum(environments),
  PLATFORM_DOMAIN: z.string().min(1).toLowerCase(),
  ACCESS_ISSUER: baseUrl,
  ACCESS_AUD: z.string().min(1),
  CF_ACCOUNT_ID: z.string().min(1),
  CLOUDFLARE_API_URL: baseUrl,
  /** Inserted into queries without quotes. */
  ANALYTICS_DATASET: z.string().regex(/^[a-z_]+$/),
  ANALYTICS_TOKEN: z.string().min(1),
  SERVICE_TOKENS_TOKEN: z.string().min(1),
  AI_GATEWAY_CREATE_DEDICATED: z
    .enum(["true", "false"])
    .default("true")
    .transform((value) => value === "true"),
  SERVICE_ACCESS: z
    .enum(["true", "false"])
    .default("true")
    .transform((value) => value === "true"),
  CONTAINERS: jsonOf(z.record(z.enum(plans), z.enum(instanceTypes))).default(PLAN_CONTAINERS),
  CHANNEL_APIS: jsonOf(z.partialRecord(z.enum(channelKinds), baseUrl)).default({}),
  PROVIDER_APIS: jsonOf(z.partialRecord(z.enum(keyProviders), baseUrl)).default({}),
  NOTICE: z.string().min(1).optional(),
  PLATFORM_STACK: z.string().min(1),
  DISPATCH_URL: baseUrl.optional(),
  INVALIDATE_TOKEN: z.string().min(1).optional(),
  LIVE_TOKEN: z.string().min(16),
  OTHER_LIVE_TOKEN: z.string().min(16).optional(),
  DOORS_KEY: z.string().min(32),
  OTHER_DOORS_KEY: z.string().min(32).optional(),
  EGRESS_BOUND: jsonOf(egressBound).optional(),
} satisfies Record<TextNames<DashboardBindings>, z.ZodType>);
export type Settings = z.infer<typeof settings>;

export type Env = UncheckedEnvOf<DashboardBindings> & { LIVE: DurableObjectNamespace };

/** @throws Error that names each missing or malformed binding, without its value */
export const parseSettings = (env: Env): Settings => parseTexts(settings, env);

export const doorKeysOf = ({ DOORS_KEY: used, OTHER_DOORS_KEY: other }: Settings): DoorKeys => ({ used, other });
