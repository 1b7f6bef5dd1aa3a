import * as z from "zod";
import type { RecordedRefusal } from "#domain/doors/refusals.ts";
import { type Environment, environments } from "#domain/environment.ts";
import { type DoorRecord, resolvedDoor } from "#workers/contracts/door-entry.ts";
import { type ResolvedTenant, resolvedTenant } from "#workers/contracts/tenant-entry.ts";
import { fetchedJson } from "#workers/shared/fetched-json.ts";

const TIMEOUT_MS = 5_000;

const activeTenants = z.array(
  z.object({ instance_id: z.uuid(), worker_name: z.string(), environment: z.enum(environments) }),
);
export type ActiveTenant = z.infer<typeof activeTenants>[number];

export class DatabaseUnavailable extends Error {
  override name = "DatabaseUnavailable";
}

export interface RestLayer {
  url: string;
  /** The service-role key. */
  key: string;
  /** On Supabase, the project's. */
  apiKey: string;
}

export class Database {
  readonly #environment: Environment;
  readonly #url: string;
  readonly #headers: Record<string, string>;

  constructor(environment: Environment, { url, key, apiKey }: RestLayer) {
    this.#environment = environment;
    this.#url = url;
    this.#headers = {
      apikey: apiKey,
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      "content-profile": "api",
    };
  }

  /** @param email address of a user, or client id of a service token @throws DatabaseUnavailable */
  async resolveTenant(slug: string, email: string | undefined): Promise<ResolvedTenant> {
    const answer = await this.#call("resolve_tenant", { p_slug: slug, p_email: email ?? null }, resolvedTenant);
    // A faulty proxy must not make us serve another tenant.
    if (answer.tenant && answer.tenant.slug !== slug) throw new DatabaseUnavailable("resolve_tenant: another tenant");
    this.#requireEnvironment("resolve_tenant", answer.tenant ? [answer.tenant] : []);
    return answer;
  }

  /** Records that a service token was used. @throws DatabaseUnavailable */
  async touchServiceToken(clientId: string): Promise<void> {
    await this.#call("touch_service_token", { p_client_id: clientId }, z.boolean());
  }

  /** Returns a page of the tenants that receive ticks, ordered by id. @throws DatabaseUnavailable */
  async activeTenants(after: string | undefined, limit: number): Promise<ActiveTenant[]> {
    const answer = await this.#call("active_tenants", { p_after: after ?? null, p_limit: limit }, activeTenants);
    this.#requireEnvironment("active_tenants", answer);
    return answer;
  }

  /** @param hash SHA-256 of the door's key, in hex @throws DatabaseUnavailable */
  async resolveDoor(hash: string): Promise<DoorRecord | null> {
    const { door } = await this.#call("resolve_door", { p_key_hash: hash }, resolvedDoor);
    this.#requireEnvironment("resolve_door", door ? [door.tenant] : []);
    return door;
  }

  /** Records the use of a door. @throws Error */
  touchDoor(id: string): Promise<void> {
    return this.#record("touch_door", { p_id: id });
  }

  /** Records why a door refused a request. @throws Error */
  recordDoorRefusal(id: string, reason: RecordedRefusal): Promise<void> {
    return this.#record("record_door_refusal", { p_id: id, p_reason: reason });
  }

  async #record(name: string, body: unknown): Promise<void> {
    const response = await fetch(`${this.#url}/rpc/${name}`, this.#request(body));
    await response.body?.cancel();
    if (!response.ok) throw new Error(`${name}: status ${response.status}`);
  }

  /** Detects the service-role key of another environment. */
  #requireEnvironment(name: string, tenants: readonly { environment: Environment }[]): void {
    const other = tenants.find(({ environment }) => environment !== this.#environment)?.environment;
    if (other) throw new DatabaseUnavailable(`${name}: a tenant of ${other}; check the service-role key`);
  }

  async #call<T>(name: string, body: unknown, answer: z.ZodType<T>): Promise<T> {
    try {
      return await fetchedJson(`${this.#url}/rpc/${name}`, answer, this.#request(body));
    } catch (error) {
      throw new DatabaseUnavailable(`${name}: ${(error as Error).message}`);
    }
  }

  #request(body: unknown): RequestInit {
    return {
      method: "POST",
      headers: this.#headers,
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    };
  }
}
