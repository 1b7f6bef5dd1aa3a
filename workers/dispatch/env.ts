/** The dispatch Worker's bindings, validated once per isolate. */
import * as z from "zod";
import { environments } from "#domain/environment.ts";
import type { DispatchBindings, TextNames } from "#workers/contracts/bindings.ts";
import { baseUrl, parseTexts, type UncheckedEnvOf } from "#workers/shared/env.ts";
import type { RestLayer } from "./tenants/database.ts";

const settings = z.object({
  ENVIRONMENT: z.enum(environments),
  PLATFORM_DOMAIN: z.string().min(1).toLowerCase(),
  /** `iss` of Access tokens and base address of their keys. */
  ACCESS_ISSUER: baseUrl,
  /** Audience of the platform's Access application, which platform roots use. */
  PLATFORM_AUDIENCE: z.string().min(1),
  SUPABASE_URL: baseUrl,
  SUPABASE_SERVICE_ROLE_KEY: z.string().min(1),
  /** The REST layer's `apikey`. Default: the service-role key. */
  SUPABASE_API_KEY: z.string().min(1).optional(),
  STAGING_SUPABASE_URL: baseUrl.optional(),
  STAGING_SUPABASE_SERVICE_ROLE_KEY: z.string().min(1).optional(),
  STAGING_SUPABASE_API_KEY: z.string().min(1).optional(),
  /** Without it `/_invalidate` refuses every call. */
  INVALIDATE_TOKEN: z.string().min(1).optional(),
  /** Also accepted while the token is rotated. */
  OTHER_INVALIDATE_TOKEN: z.string().min(1).optional(),
  DOORS_KEY: z.string().min(32),
  /** Also decrypts while the key is rotated. */
  OTHER_DOORS_KEY: z.string().min(32).optional(),
  CF_ACCOUNT_ID: z.string().min(1),
  CLOUDFLARE_API_URL: baseUrl,
  AI_GATEWAY_LOGS_TOKEN: z.string().min(1),
} satisfies Record<TextNames<DispatchBindings>, z.ZodType>);

export type Env = UncheckedEnvOf<DispatchBindings>;

export type Settings = Omit<
  z.infer<typeof settings>,
  `${"" | "STAGING_"}SUPABASE_${"URL" | "SERVICE_ROLE_KEY" | "API_KEY"}`
> & { database: RestLayer };

/**
 * Returns the settings. Staging uses its own database only if both its address and its key are set: a key must never reach the other
 * database.
 *
 * @throws Error naming each binding that is missing or malformed, never its value
 */
export function parseSettings(env: Env): Settings {
  const {
    SUPABASE_URL: url,
    SUPABASE_SERVICE_ROLE_KEY: key,
    SUPABASE_API_KEY: apiKey = key,
    STAGING_SUPABASE_URL: stagingUrl,
    STAGING_SUPABASE_SERVICE_ROLE_KEY: stagingKey,
    STAGING_SUPABASE_API_KEY: stagingApiKey = stagingKey,
    ...rest
  } = parseTexts(settings, env);
  const hasOwnDatabase = rest.ENVIRONMENT === "staging" && stagingUrl && stagingKey && stagingApiKey;
  const database = hasOwnDatabase ? { url: stagingUrl, key: stagingKey, apiKey: stagingApiKey } : { url, key, apiKey };
  return { ...rest, database };
}
