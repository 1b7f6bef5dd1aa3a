/** Callers that Access admitted, and the users that they act for. */
import type { Role } from "#workers/contracts/roles.ts";
import type { ReadStanding } from "../tenants/roles.ts";

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
  /** When the read of the role began, in milliseconds since the epoch. */
  readAt: number;
}

/**
 * Returns an admitted caller as the user that it is or acts for; undefined if it may not enter. The platform's audience admits only ROOT. A
 * service token that the platform did not create is admitted by the account's administrator, by a policy of the application: it has the
 * lowest role.
 */
export function userOf(
  { email, platform, service }: Admitted,
  { role, token, readAt }: ReadStanding,
  now = Date.now(),
): AdmittedUser | undefined {
  if (service === undefined)
    return role === null || (platform && role !== "ROOT") ? undefined : { email, role, readAt };
  const login = { clientId: email, expiresAt: service.expiresAt };
  if (token === null) return { email, role: "BASE_USER", service: login, readAt };
  if (token.email === null || token.expires_at === null || role === null) return undefined;
  const expiresAt = Math.min(login.expiresAt, token.expires_at * 1000);
  return expiresAt > now ? { email: token.email, role, service: { ...login, expiresAt }, readAt } : undefined;
}
