/** Receives webhooks: key → door → gate → signature → inbox of the tenant. Refusals cost no call to the tenant. */

import type { KVNamespace } from "@cloudflare/workers-types";
import { verifyWebhook, type WebhookSecrets } from "@tenantry/webhooks";
import { WEBHOOK_KINDS } from "@tenantry/webhooks/kinds";
import type { RecordedRefusal } from "#domain/doors/refusals.ts";
import { trafficErrors } from "#domain/errors/tenants/traffic.ts";
import { gateRefusal } from "#domain/tenants/instance-state.ts";
import type { DoorRecord } from "#workers/contracts/door-entry.ts";
import type { TenantRecord } from "#workers/contracts/tenant-entry.ts";
import { BodyTooLarge, BodyTooSlow, readRequest } from "#workers/shared/bounded-body.ts";
import { SealedWithOtherKey } from "#workers/shared/doors/door-secrets.ts";
import type { KeepAlive } from "#workers/shared/single-flight.ts";
import { UnknownLimit } from "../caching/unknown-limit.ts";
import type { Settings } from "../env.ts";
import { type Refusal, refusal } from "../refusal.ts";
import type { RequestLog } from "../request-log.ts";
import type { Database } from "../tenants/database.ts";
import type { Tenants } from "../tenants/tenants.ts";
import { deliver, deliveryOf, notStored } from "./deliver.ts";
import type { DoorPath } from "./door-path.ts";
import { Doors } from "./doors.ts";
import { IssuerKeys } from "./issuer-keys.ts";
import { Touches } from "./touches.ts";

/** Of the vendor's time limit, for the way back. */
const MARGIN_MS = 500;

interface Received {
  request: Request;
  url: URL;
  path: DoorPath;
  keepAlive: KeepAlive;
  log: RequestLog;
}

interface OpenedDoor {
  door: DoorRecord;
  secrets: WebhookSecrets[];
}

export class Hooks {
  readonly doors: Doors;
  readonly #settings: Settings;
  readonly #tenants: Tenants;
  readonly #dispatcher: DispatchNamespace;
  readonly #issuerKeys = new IssuerKeys();
  readonly #touches: Touches;
  readonly #unknownKeys = new UnknownLimit((retryAfter) =>
    refusal(trafficErrors.too_many_unknown_doors, {}, { retryAfter }),
  );

  constructor(o: {
    settings: Settings;
    kv: KVNamespace;
    database: Database;
    tenants: Tenants;
    dispatcher: DispatchNamespace;
  }) {
    const { ENVIRONMENT: environment, DOORS_KEY: used, OTHER_DOORS_KEY: other } = o.settings;
    this.#settings = o.settings;
    this.#tenants = o.tenants;
    this.#dispatcher = o.dispatcher;
    this.#touches = new Touches(o.database);
    this.doors = new Doors({ environment, ...o, keys: { used, other } });
  }

  /**
   * Acknowledges a webhook after the tenant's inbox has stored it. Never waits for the tenant's container.
   *
   * @throws Refusal, and as for other requests when the platform is unavailable
   */
  async receive({ request, url, path, keepAlive, log }: Received): Promise<Response> {
    const receivedAt = new Date();
    const cached = await this.#door(path.key, request.headers, keepAlive, log);
    log.door = cached.id;
    if (cached.state !== "active") throw doorRefusal(cached.state);
    const tenant = await this.#tenantOf(cached, keepAlive);
    log.slug = tenant.slug;
    const gate = gateRefusal(this.#settings.ENVIRONMENT, tenant.client_status, tenant.instance_status);
    if (gate) throw doorRefusal(gate);

    const { door, secrets } = await this.#opened(cached, path.key, keepAlive);
    const { maxBodyBytes, deadlineMs } = WEBHOOK_KINDS[door.kind];
    const until = AbortSignal.timeout(deadlineMs - MARGIN_MS);
    const { method, headers } = request;
    const { subpath } = path;
    const refuse = (reason: RecordedRefusal) => {
      this.#touches.refuse(door.id, reason, keepAlive);
      return doorRefusal(reason);
    };
    const body = await readRequest(request, maxBodyBytes, until).catch((error) => {
      throw refuse(bodyFault(error));
    });
    const verdict = await verifyWebhook(
      door.kind,
      secrets,
      { method, subpath, query: url.searchParams, headers, body },
      { now: receivedAt.getTime(), keys: (url, keyId) => this.#issuerKeys.find(url, keyId, keepAlive) },
    );
    if (verdict.outcome === "refused") throw refuse(verdict.reason);
    if (verdict.outcome === "answered") {
      log.outcome = "door_answered";
      this.#touches.touch(door.id, keepAlive);
      return acknowledged(verdict);
    }
    const webhook = { method, subpath, query: url.search.slice(1), headers, receivedAt };
    const delivery = await deliveryOf(door, webhook, verdict);
    if (delivery === undefined) throw refuse("oversized");
    log.dispatching();
    const message = { domain: this.#settings.PLATFORM_DOMAIN, delivery, body, until };
    log.outcome = `door_${await deliver(this.#dispatcher, tenant, message)}`;
    this.#touches.touch(door.id, keepAlive);
    return acknowledged(verdict.acknowledgement);
  }

  async #door(key: string, headers: Headers, keepAlive: KeepAlive, log: RequestLog): Promise<DoorRecord> {
    const hash = await this.doors.hashOf(key);
    const { value, cache } =
      this.doors.cached(hash) ??
      (await this.#unknownKeys.find(headers, {
        isUnknown: this.doors.isUnknown(hash),
        find: () => this.doors.find(hash, keepAlive),
        exists: (found) => found.value !== null,
      }));
    log.cache = cache;
    if (value === null) throw doorRefusal("unknown");
    if (cache !== "isolate") this.doors.remember(key, hash);
    return value;
  }

  /** The cached tenant, whose entry is cleared when it is frozen or deleted. */
  async #tenantOf({ tenant: { slug, instance_id } }: DoorRecord, keepAlive: KeepAlive): Promise<TenantRecord> {
    const { tenant } = this.#tenants.cached(slug) ?? (await this.#tenants.find(slug, async () => undefined, keepAlive));
    if (tenant?.instance_id !== instance_id) throw doorRefusal("tenant_deleted");
    return tenant;
  }

  /** Returns a door with its decrypted secrets, as the database has it if the cached entry cannot be decrypted. */
  async #opened(cached: DoorRecord, key: string, keepAlive: KeepAlive): Promise<OpenedDoor> {
    try {
      return await this.#open(cached);
    } catch (error) {
      if (!(error instanceof SealedWithOtherKey)) throw notStored(error);
      const door = await this.doors.reread(await this.doors.hashOf(key), cached, keepAlive);
      if (door === cached) throw notStored(error);
      if (door?.state !== "active") throw doorRefusal(door?.state ?? "unknown");
      return this.#open(door).catch((cause: unknown) => {
        throw notStored(cause);
      });
    }
  }

  async #open(door: DoorRecord): Promise<OpenedDoor> {
    return { door, secrets: await this.doors.secrets(door) };
  }
}

function bodyFault(error: unknown): RecordedRefusal {
  if (error instanceof BodyTooLarge) return "BodyTooLarge";
  return error instanceof BodyTooSlow ? "BodyTooSlow" : "BodyIncomplete";
}

/** The same response for every reason, which only the log states. */
export const doorRefusal = (reason: string): Refusal =>
  refusal(trafficErrors.webhook_not_accepted, {}, { cause: new Error(reason) });

const acknowledged = ({ status, headers, body }: { status: number; headers: Record<string, string>; body: string }) =>
  new Response(body === "" ? null : body, { status, headers });
