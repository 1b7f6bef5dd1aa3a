/** The REST layer, and the key that the dispatch Worker uses. */
import * as z from "zod";
import { databaseRoles } from "#database/callers/roles.ts";
import { preflightServiceErrors as errors } from "#domain/errors/commands/fleet-preflight.ts";
import { type Check, failed, type Outcome, passed } from "../check.ts";
import { networkFault } from "../cloudflare.ts";
import type { Requirements } from "../requirements.ts";

const ANSWER_MS = 15_000;
/** No such function: the key is verified before it is looked up. */
const FUNCTION = "tenantry_preflight_without_effect";

const claims = z.object({ role: z.string(), exp: z.number().optional() });
const restError = z.object({ code: z.string(), message: z.string() });

export const restChecks: readonly Check[] = [
  { id: "rest_key", title: "Service-role key", run: checkKey },
  { id: "rest", title: "REST layer", run: checkRest },
];

/** Supabase's newer keys are no JWTs; the REST layer checks them. */
async function checkKey({ settings }: Requirements): Promise<Outcome> {
  const required = databaseRoles(settings.environment).dispatch;
  const found = claimsOf(settings.connections.serviceRoleKey);
  if (found === undefined) return failed(errors.preflight_rest_key_role, { role: "(none: it is no JWT)", required });
  if (found.exp !== undefined && found.exp * 1000 < Date.now())
    return failed(errors.preflight_rest_key_expired, { time: new Date(found.exp * 1000).toISOString() });
  return found.role === required
    ? passed(required)
    : failed(errors.preflight_rest_key_role, { role: found.role, required });
}

function claimsOf(token: string): z.infer<typeof claims> | undefined {
  try {
    return claims.safeParse(JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString())).data;
  } catch {
    return undefined;
  }
}

async function checkRest({ settings, signal }: Requirements): Promise<Outcome> {
  const { restUrl, serviceRoleKey, restApiKey = serviceRoleKey } = settings.connections;
  const { host } = new URL(restUrl);
  let response: Response;
  try {
    response = await fetch(`${restUrl.replace(/\/+$/, "")}/rpc/${FUNCTION}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${serviceRoleKey}`,
        apikey: restApiKey,
        "content-profile": "api",
        "content-type": "application/json",
      },
      body: "{}",
      signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]),
    });
  } catch (error) {
    return failed(errors.preflight_rest_unreachable, { host, fault: networkFault(error) });
  }
  const { status } = response;
  const fault = restError.safeParse(await response.json().catch(() => undefined)).data;
  // PostgREST's codes: postgrest.org/references/errors. The role and the schema exist after the first `up`.
  if (fault === undefined && status === 401)
    return failed(errors.preflight_rest_key_refused, { fault: `HTTP ${status}` });
  if (fault === undefined) return failed(errors.preflight_rest_unknown, { host, status });
  if (fault.code === "PGRST106") return failed(errors.preflight_rest_schema_hidden, { fault: fault.message });
  if (/^PGRST3/.test(fault.code)) return failed(errors.preflight_rest_key_refused, { fault: fault.message });
  return passed(host);
}
