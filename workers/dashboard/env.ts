/** The dashboard Worker's bindings, checked once an isolate. */
import * as z from "zod";
import { environments } from "../../domain/environment.ts";
import type { DashboardBindings, TextNames } from "../contracts/bindings.ts";
import { baseUrl, parseTexts, type UncheckedEnvOf } from "../shared/env.ts";

const settings = z.object({
  ENVIRONMENT: z.enum(environments),
  PLATFORM_DOMAIN: z.string().min(1).toLowerCase(),
  /** `iss` of Access tokens; the keys lie under it. */
  ACCESS_ISSUER: baseUrl,
  /** Audience tag of the dashboard's own Access application. */
  ACCESS_AUD: z.string().min(1),
  /** Bearer token of the automation service's news. */
  LIVE_TOKEN: z.string().min(16),
} satisfies Record<TextNames<DashboardBindings>, z.ZodType>);
export type Settings = z.infer<typeof settings>;

export type Env = UncheckedEnvOf<DashboardBindings> & { LIVE: DurableObjectNamespace };

/** @throws Error naming each binding that is missing or malformed, never its value */
export function parseSettings(env: Env): Settings {
  return parseTexts(settings, env);
}
