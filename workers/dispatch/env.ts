/** The dispatch Worker's bindings, checked once an isolate. */
import { z } from "zod";
import { environments } from "../../domain/slug.ts";

const baseUrl = z.url().transform((url) => url.replace(/\/+$/, ""));

const settings = z.object({
  ENVIRONMENT: z.enum(environments),
  PLATFORM_DOMAIN: z.string().min(1).toLowerCase(),
  /** `iss` of Access tokens; the keys lie under it. */
  ACCESS_ISSUER: baseUrl,
  /** Audience tag of the dashboard's Access application, which platform roots may hold instead of a tenant's. */
  PLATFORM_AUDIENCE: z.string().min(1),
  SUPABASE_URL: baseUrl,
  SUPABASE_SERVICE_ROLE_KEY: z.string().min(1),
  STAGING_SUPABASE_URL: baseUrl.optional(),
  STAGING_SUPABASE_SERVICE_ROLE_KEY: z.string().min(1).optional(),
  /** Without it `/_invalidate` refuses every call. */
  INVALIDATE_TOKEN: z.string().min(1).optional(),
});

export interface Bindings {
  DISPATCHER: DispatchNamespace;
  TENANT_INDEX: KVNamespace;
  FANOUT: Queue<unknown>;
}

export type Env = Bindings & Record<string, unknown>;

export type Settings = Omit<z.infer<typeof settings>, `${"" | "STAGING_"}SUPABASE_${"URL" | "SERVICE_ROLE_KEY"}`> & {
  database: { url: string; key: string };
};

/**
 * The settings of an environment. In staging both staging secrets together take the place of production's; one alone is
 * ignored, so that a key never goes to the other database.
 *
 * @throws Error naming each binding that is missing or malformed, never its value
 */
export function parseSettings(env: Env): Settings {
  const parsed = settings.safeParse(env);
  if (!parsed.success) {
    const faults = parsed.error.issues.map((issue) => `${issue.path.join(".")} (${issue.code})`);
    throw new Error(`Bindings missing or malformed: ${faults.join(", ")}`);
  }
  const { SUPABASE_URL, SUPABASE_SERVICE_ROLE_KEY, STAGING_SUPABASE_URL, STAGING_SUPABASE_SERVICE_ROLE_KEY, ...rest } =
    parsed.data;
  const staging = rest.ENVIRONMENT === "staging" && STAGING_SUPABASE_URL && STAGING_SUPABASE_SERVICE_ROLE_KEY;
  return {
    ...rest,
    database: staging
      ? { url: STAGING_SUPABASE_URL, key: STAGING_SUPABASE_SERVICE_ROLE_KEY }
      : { url: SUPABASE_URL, key: SUPABASE_SERVICE_ROLE_KEY },
  };
}
