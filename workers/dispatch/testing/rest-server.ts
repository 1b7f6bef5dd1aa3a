/** The database's REST layer for tests: `resolve_tenant`, `active_tenants` and the routines of doors on test data. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { listen } from "@tenantry/std/listening";
import type { DoorRecord } from "#workers/contracts/door-entry.ts";
import type { Role } from "#workers/contracts/roles.ts";
import type { TenantRecord } from "#workers/contracts/tenant-entry.ts";

export interface RestServer {
  url: string;
  key: string;
  apiKey: string;
  tenants: Map<string, TenantRecord>;
  /** Role by `{slug} {email}`. */
  roles: Map<string, Role>;
  /** By the hash of their keys. */
  doors: Map<string, Omit<DoorRecord, "tenant"> & { slug: string }>;
  /** Hashes of every call of `resolve_door`. */
  resolvedDoors: string[];
  /** IDs of every call of `touch_door`. */
  touchedDoors: string[];
  /** Every call of `record_door_refusal`. */
  refusals: { door: string; reason: string }[];
  /** Service tokens of the platform by `{slug} {client id}`; at any other tenant they are refused. */
  tokens: Map<string, { email: string; role: Role; expires_at: number }>;
  /** Client ids of every call of `touch_service_token`. */
  touched: string[];
  /** Arguments of every call of `resolve_tenant`. */
  resolved: { p_slug: string; p_email: string | null }[];
  /** Responds with 503 to everything. */
  setDown(down: boolean): void;
  /** Responds with 503 to matching bodies; `undefined` ends that. */
  failFor(fails: ((body: { p_slug?: string; p_email?: string | null }) => boolean) | undefined): void;
  /** Responds with 200 and this text to everything; `undefined` ends that. */
  setAnswer(text: string | undefined): void;
  /** Delays responses until the returned function is called. */
  hold(): () => void;
  stop(): Promise<void>;
}

/** @param apiKey the required `apikey`. Default: the key */
export async function startRestServer(key: string, apiKey = key): Promise<RestServer> {
  let down = false;
  let fails: ((body: { p_slug?: string; p_email?: string | null }) => boolean) | undefined;
  let fixed: string | undefined;
  let gate: Promise<void> = Promise.resolve();
  const tenants: RestServer["tenants"] = new Map();
  const roles: RestServer["roles"] = new Map();
  const tokens: RestServer["tokens"] = new Map();
  const touched: string[] = [];
  const resolved: RestServer["resolved"] = [];
  const doors: RestServer["doors"] = new Map();
  const resolvedDoors: string[] = [];
  const touchedDoors: string[] = [];
  const refusals: RestServer["refusals"] = [];

  /** Other environments' doors are not found, as in the database. */
  function door(hash: string): DoorRecord | null {
    const { slug, ...found } = doors.get(hash) ?? {};
    const tenant = slug === undefined ? undefined : tenants.get(slug);
    return tenant?.environment === "production" ? ({ ...found, tenant } as DoorRecord) : null;
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const reply = (status: number, body: unknown) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { headers } = request;
    if (headers.apikey !== apiKey || headers.authorization !== `Bearer ${key}`)
      return void reply(401, { message: "no" });
    if (request.method !== "POST") return void reply(405, { message: "POST only" });
    const body = JSON.parse(Buffer.concat(chunks).toString());
    if (request.url === "/rest/v1/rpc/resolve_tenant") resolved.push(body);
    if (request.url === "/rest/v1/rpc/resolve_door") resolvedDoors.push(body.p_key_hash);
    await gate;
    if (down || fails?.(body)) return void reply(503, { message: "down" });
    if (fixed !== undefined) return void response.writeHead(200, { "content-type": "application/json" }).end(fixed);
    if (request.url === "/rest/v1/rpc/resolve_tenant") {
      const tenant = tenants.get(body.p_slug) ?? null;
      const token = tokens.get(`${body.p_slug} ${body.p_email}`);
      const isKnown = [...tokens.keys()].some((key) => key.endsWith(` ${body.p_email}`));
      const {
        role = roles.get(`${body.p_slug} ${body.p_email}`) ?? null,
        email = null,
        expires_at = null,
      } = token ?? {};
      return void reply(200, { tenant, role, token: isKnown ? { email, expires_at } : null });
    }
    if (request.url === "/rest/v1/rpc/touch_service_token") {
      touched.push(body.p_client_id);
      return void reply(200, true);
    }
    if (request.url === "/rest/v1/rpc/resolve_door") return void reply(200, { door: door(body.p_key_hash) });
    if (request.url === "/rest/v1/rpc/touch_door") {
      touchedDoors.push(body.p_id);
      return void response.writeHead(204).end();
    }
    if (request.url === "/rest/v1/rpc/record_door_refusal") {
      refusals.push({ door: body.p_id, reason: body.p_reason });
      return void response.writeHead(204).end();
    }
    if (request.url === "/rest/v1/rpc/active_tenants") {
      const page = [...tenants.values()]
        .filter((tenant) => tenant.instance_status === "running" && tenant.instance_id > (body.p_after ?? ""))
        .sort((a, b) => (a.instance_id < b.instance_id ? -1 : 1))
        .slice(0, body.p_limit);
      return void reply(
        200,
        page.map(({ instance_id, worker_name, environment }) => ({ instance_id, worker_name, environment })),
      );
    }
    reply(404, { message: "no such function" });
  }

  const server = createServer((request, response) => void answer(request, response));
  const port = await listen(server, { port: 0 });
  return {
    url: `http://127.0.0.1:${port}/rest/v1`,
    key,
    apiKey,
    tenants,
    roles,
    tokens,
    touched,
    resolved,
    doors,
    resolvedDoors,
    touchedDoors,
    refusals,
    setDown: (value) => {
      down = value;
    },
    failFor: (value) => {
      fails = value;
    },
    setAnswer: (text) => {
      fixed = text;
    },
    hold: () => {
      let release = () => {};
      gate = new Promise((resolve) => {
        release = resolve;
      });
      return () => release();
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
