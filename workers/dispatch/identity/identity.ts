/** Whether a request's Access token lets its user in at a tenant (spec: "Authentication"). */

import type { Role } from "#workers/contracts/roles.ts";
import type { TenantRecord } from "#workers/contracts/tenant-entry.ts";
import type { Identity, TokenFault, TokenVerifier } from "#workers/shared/access/token-verifier.ts";
import { eachAccessToken } from "#workers/shared/access/tokens.ts";
import type { KeepAlive } from "#workers/shared/single-flight.ts";
import type { Settings } from "../env.ts";

/** A user whose token is meant for this tenant or, when `platform` is set, for the platform's roots. */
export interface Admitted {
  email: string;
  platform: boolean;
}

/** Why a request's tokens admit nobody: there are none, none is good, or the good ones are for another audience. */
export type IdentityFault = { fault: "missing" | TokenFault } | { fault: "elsewhere"; email: string };

/**
 * The first user of a request's tokens who is admitted at the tenant; tokens after theirs are not looked at.
 * @throws KeysUnavailable
 */
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
    fault = { fault: "elsewhere", email: identity.email };
  }
  return fault;
}

/**
 * The e-mail of the first good token of a request, whomever it is for.
 * @throws KeysUnavailable
 */
export async function namedEmail(
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

/**
 * Whether an identity's audience fits the tenant. In staging only the platform's audience does.
 * A tenant whose application is not deployed yet has no audience of its own.
 */
export function admit({ email, audiences }: Identity, tenant: TenantRecord, settings: Settings): Admitted | undefined {
  if (settings.ENVIRONMENT !== "staging" && tenant.access_aud && audiences.includes(tenant.access_aud)) {
    return { email, platform: false };
  }
  return audiences.includes(settings.PLATFORM_AUDIENCE) ? { email, platform: true } : undefined;
}

/** Whether a role suffices: the platform's audience serves none but ROOT. */
export function mayEnter(admitted: Admitted, role: Role | null): role is Role {
  return role !== null && (!admitted.platform || role === "ROOT");
}
