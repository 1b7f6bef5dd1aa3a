/** A client for a program with a service token of a tenant. */
import { type Client, clientOf } from "./client.ts";
import { NoResponseError } from "./errors.ts";
import { bodyOf, type Connection, request, type Transport } from "./request.ts";

export interface TenantClientOptions extends Omit<Transport, "connect"> {
  /** Address of the tenant, such as `https://acme.agents.example.com`. */
  readonly tenantUrl: string;
  /** `access_client_id` of the service token. */
  readonly clientId: string;
  readonly clientSecret: string;
}

interface Session {
  readonly connection: Connection;
  /** In milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** A session is renewed before it expires. */
const MARGIN_MS = 60_000;

/** Returns a client that acts as the service token's user, with the lower of both present roles. */
export function tenantClient({ tenantUrl, clientId, clientSecret, ...rest }: TenantClientOptions): Client {
  const headers = { "cf-access-client-id": clientId, "cf-access-client-secret": clientSecret };
  const login: Transport = { ...rest, connect: () => ({ baseUrl: tenantUrl, headers }) };
  let opening: Promise<Session> | undefined;

  async function connect(refused?: Connection): Promise<Connection> {
    const known = opening;
    const session = await known;
    if (session !== undefined && session.connection !== refused && Date.now() < session.expiresAt - MARGIN_MS) {
      return session.connection;
    }
    // Concurrent calls share a renewal.
    const shared = opening === known || opening === undefined ? openSession(login) : opening;
    opening = shared;
    try {
      return (await shared).connection;
    } catch (error) {
      if (opening === shared) opening = undefined;
      throw error;
    }
  }

  return clientOf({ ...rest, connect });
}

async function openSession(login: Transport): Promise<Session> {
  const body = await bodyOf(await request(login, { method: "POST", path: "/.tenantry/session" }));
  const { token, expires_at, api_url } = (body ?? {}) as Record<string, unknown>;
  if (typeof token !== "string" || typeof expires_at !== "string" || typeof api_url !== "string") {
    throw new NoResponseError("The tenant's address gave no session.");
  }
  const connection = { baseUrl: api_url, headers: { authorization: `Bearer ${token}` } };
  return { connection, expiresAt: Date.parse(expires_at) };
}
