/** Whether a request's Access token admits its user at a tenant (spec: "Authentication"). */
import type { TenantRecord } from "#workers/contracts/tenant-entry.ts";
import type { Identity, TokenFault, TokenVerifier } from "#workers/shared/access/token-verifier.ts";
import { eachAccessToken } from "#workers/shared/access/tokens.ts";
import type { KeepAlive } from "#workers/shared/single-flight.ts";
import type { Settings } from "../env.ts";
import type { Admitted } from "./admitted.ts";

export type IdentityFault = { fault: "missing" | TokenFault } | { fault: "other_audience"; email: string };

/** Returns the first admitted user of a request's tokens, or why there is none. @throws KeysUnavailable */
export async function authenticate(
  headers: Headers,
  tenant: TenantRecord,
  { settings, verifier, keepAlive }: { settings: Settings; verifier: TokenVerifier; keepAlive: KeepAlive },
): Promise<Admitted | IdentityFault> {
  let fault: IdentityFault = { fault: "missing" };
  for (const token of eachAccessToken(headers)) {
    const identity = verifier.known(token) ?? (await verifier.verify(token, keepAlive));
    if (typeof identity === "string") {
      if (fault.fault === "missing" || fault.fault === "invalid") fault = { fault: identity };
      continue;
    }
    const admitted = admit(identity, tenant, settings);
    if (admitted) return admitted;
    fault = { fault: "other_audience", email: identity.email };
  }
  return fault;
}

/** Returns the user's address or the service's client id of the first valid token, of any audience. @throws KeysUnavailable */
export async function namedCaller(
  headers: Headers,
  verifier: TokenVerifier,
  keepAlive: KeepAlive,
): Promise<string | undefined> {
  for (const token of eachAccessToken(headers)) {
    const identity = await verifier.verify(token, keepAlive);
    if (typeof identity !== "string") return identity.email;
  }
  return undefined;
}

export function admit(
  { email, isService, audiences, expiresAt }: Identity,
  tenant: TenantRecord,
  settings: Settings,
): Admitted | undefined {
  if (settings.ENVIRONMENT !== "staging" && tenant.access_aud && audiences.includes(tenant.access_aud)) {
    return { email, platform: false, ...(isService && { service: { expiresAt } }) };
  }
  return !isService && audiences.includes(settings.PLATFORM_AUDIENCE) ? { email, platform: true } : undefined;
}
