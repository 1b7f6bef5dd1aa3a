/** Whether a request's Access token admits its user at a tenant (spec: "Authentication"). */
import type { Role } from "#workers/contracts/roles.ts";
import type { Standing, TenantRecord } from "#workers/contracts/tenant-entry.ts";
import type { Identity, TokenFault, TokenVerifier } from "#workers/shared/access/token-verifier.ts";
import { eachAccessToken } from "#workers/shared/access/tokens.ts";
import type { KeepAlive } from "#workers/shared/single-flight.ts";
import type { Settings } from "../env.ts";

export interface Admitted {
  /** Of a user; of a service, the client ID of its token. */
  email: string;
  /** A service token of Access, which is admitted only at this tenant. */
  service?: { expiresAt: number };
  /** The token is for the platform's roots, not for this tenant. */
  platform: boolean;
}

/** Who a request is by, at a tenant. */
export interface AdmittedUser {
  /** Of the user; for a service token that the platform did not create, its client id. */
  email: string;
  role: Role;
  /** A service token of Access, and until when it is admitted. */
  service?: { clientId: string; expiresAt: number };
}

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

/**
 * Returns an admitted caller as the user that it is or acts for; undefined if it may not enter. The platform's audience admits only ROOT. A
 * service token that the platform did not create is admitted by the account's administrator, by a policy of the application: it has the
 * lowest role.
 */
export function userOf(
  { email, platform, service }: Admitted,
  { role, token }: Standing,
  now = Date.now(),
): AdmittedUser | undefined {
  if (service === undefined) return role === null || (platform && role !== "ROOT") ? undefined : { email, role };
  const login = { clientId: email, expiresAt: service.expiresAt };
  if (token === null) return { email, role: "BASE_USER", service: login };
  if (token.email === null || token.expires_at === null || role === null) return undefined;
  const expiresAt = Math.min(login.expiresAt, token.expires_at * 1000);
  return expiresAt > now ? { email: token.email, role, service: { ...login, expiresAt } } : undefined;
}
