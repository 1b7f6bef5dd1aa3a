/** Whether a request's Access token lets its user in at a tenant (spec: "Authentication"). */
import type { KeepAlive } from "../access/single-flight.ts";
import type { Identity, TokenFault, TokenVerifier } from "../access/token-verifier.ts";
import { accessTokens } from "../access/tokens.ts";
import type { Role } from "../contracts/roles.ts";
import type { TenantRecord } from "../contracts/tenant-entry.ts";
import type { Settings } from "./env.ts";

/** What a request says of its sender; `fault` is set when it names nobody. */
export interface Claimed {
  identities: Identity[];
  fault?: "missing" | TokenFault;
}

/**
 * Verifies every token of a request.
 * @throws KeysUnavailable
 */
export async function readIdentities(
  headers: Headers,
  verifier: TokenVerifier,
  keepAlive: KeepAlive,
): Promise<Claimed> {
  const tokens = accessTokens(headers);
  if (tokens.length === 0) return { identities: [], fault: "missing" };
  const identities: Identity[] = [];
  let fault: TokenFault = "invalid";
  for (const token of tokens) {
    const result = await verifier.verify(token, keepAlive);
    if (typeof result !== "string") identities.push(result);
    else if (result === "expired") fault = "expired";
  }
  return identities.length > 0 ? { identities } : { identities, fault };
}

/** A user whose token is meant for this tenant or, when `platform` is set, for the platform's roots. */
export interface Admitted {
  email: string;
  platform: boolean;
}

/**
 * The first identity whose audience fits the tenant. In staging only the platform's audience does.
 * A tenant whose application is not deployed yet has no audience of its own.
 */
export function admit(identities: Identity[], tenant: TenantRecord, settings: Settings): Admitted | undefined {
  for (const { email, audiences } of identities) {
    if (settings.ENVIRONMENT !== "staging" && tenant.access_aud && audiences.includes(tenant.access_aud)) {
      return { email, platform: false };
    }
    if (audiences.includes(settings.PLATFORM_AUDIENCE)) return { email, platform: true };
  }
  return undefined;
}

/** Whether a role suffices: the platform's audience serves none but ROOT. */
export function mayEnter(admitted: Admitted, role: Role | null): role is Role {
  return role !== null && (!admitted.platform || role === "ROOT");
}
