/** The dashboard Worker's bindings, checked once an isolate. */
import { z } from "zod";
import { environments } from "../../domain/environment.ts";
import type { DashboardBindings, TextNames } from "../contracts/bindings.ts";
import type { UncheckedEnvironmentOf } from "../shared/environment.ts";

const settings = z.object({
  ENVIRONMENT: z.enum(environments),
  PLATFORM_DOMAIN: z.string().min(1).toLowerCase(),
  /** `iss` of Access tokens; the keys lie under it. */
  ACCESS_ISSUER: z.url().transform((url) => url.replace(/\/+$/, "")),
  /** Audience tag of the dashboard's own Access application. */
  ACCESS_AUD: z.string().min(1),
} satisfies Record<TextNames<DashboardBindings>, z.ZodType>);
export type Settings = z.infer<typeof settings>;

export type Env = UncheckedEnvironmentOf<DashboardBindings>;

/** @throws Error naming each binding that is missing or malformed, never its value */
export function parseSettings(env: Env): Settings {
  const parsed = settings.safeParse(env);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((issue) => `${issue.path.join(".")} (${issue.code})`);
  throw new Error(`Bindings missing or malformed: ${faults.join(", ")}`);
}
