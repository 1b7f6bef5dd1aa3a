import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Store } from "../../account/store.ts";
import type {
  AccessApplicationRecord,
  AccessPolicyRecord,
  AccessRule,
  AccessServiceTokenRecord,
} from "../../cloudflare/kinds/access/records.ts";
import { sha256 } from "../../cloudflare/kinds/access/service-tokens.ts";
import { createWeather, type WeatherOptions } from "../../weather/weather.ts";
import { type Access, createAccess, type Decision } from "../access.ts";
import type { Precedence } from "../applications.ts";

export const ISSUER = "http://tenantry.cloudflareaccess.localhost:8787";
export const ACME = "http://acme.tenantry.localhost:8787";
export const BETA = "http://beta.tenantry.localhost:8787";

const now = new Date(0).toISOString();
/** Keys of the first server, reused because key generation is slow. */
let madeKeys: Buffer | undefined;

export interface TestAccess {
  access: Access;
  store: Store;
  directory: string;
  logged: { event: string; fields: unknown }[];
  /** Restarts the server with the same directory and store. */
  reopen(): Promise<Access>;
  stop(): Promise<void>;
}

/** @param precedence of applications that match one URL. Default: that of the server */
export async function startTestAccess(precedence?: Precedence, given?: WeatherOptions): Promise<TestAccess> {
  const directory = await mkdtemp(join(tmpdir(), "tenantry-access-"));
  const store = new Store(join(directory, "account"));
  const logged: TestAccess["logged"] = [];
  const log = (_: string, event: string, fields?: unknown) => logged.push({ event, fields });
  const weather = given && createWeather(given, log);
  const options = { store, directory: join(directory, "access"), issuer: ISSUER, weather, log };
  const open = () => createAccess({ ...options, ...(precedence && { precedence }) });
  await mkdir(join(directory, "access"), { mode: 0o700 });
  if (madeKeys !== undefined) await writeFile(join(directory, "access/signing-keys.json"), madeKeys, { mode: 0o600 });
  const access = await open();
  madeKeys ??= await readFile(join(directory, "access/signing-keys.json"));
  const stop = async () => {
    store.close();
    await rm(directory, { recursive: true });
  };
  return { access, store, directory, logged, reopen: open, stop };
}

export function putPolicy(store: Store, id: string, values: Partial<AccessPolicyRecord>): void {
  const record = {
    name: id,
    decision: "allow" as const,
    include: [],
    exclude: [],
    require: [],
    created_at: now,
    updated_at: now,
  };
  store.put("access_policy", { ...record, ...values, id });
}

export function putGroup(
  store: Store,
  id: string,
  include: AccessRule[],
  more: { exclude?: AccessRule[]; require?: AccessRule[] } = {},
): void {
  store.put("access_group", {
    id,
    name: id,
    include,
    exclude: [],
    require: [],
    ...more,
    created_at: now,
    updated_at: now,
  });
}

export function putList(store: Store, id: string, emails: string[]): void {
  const items = emails.map((value) => ({ value, created_at: now }));
  store.put("list", { id, name: id, type: "EMAIL", description: "", items, created_at: now, updated_at: now });
}

/** Stores a service token with the id, the client id `{id}.access` and the secret `secret-of-{id}`. @returns headers that send it */
export function putServiceToken(
  store: Store,
  id: string,
  values: Partial<AccessServiceTokenRecord> = {},
): Record<string, string> {
  const [client_id, secret] = [`${id}.access`, `secret-of-${id}`];
  const times = { duration: "forever", expires_at: null, created_at: now, updated_at: now };
  store.put("access_service_token", { id, name: id, client_id, secret_sha256: sha256(secret), ...times, ...values });
  return { "cf-access-client-id": client_id, "cf-access-client-secret": secret };
}

/** Stores an application of `domain` with the audience `aud-{id}`. */
export function putApplication(
  store: Store,
  id: string,
  domain: string,
  policies: string[],
  values: Partial<AccessApplicationRecord> = {},
): void {
  store.put("access_application", {
    id,
    aud: `aud-${id}`,
    name: id,
    type: "self_hosted",
    domain,
    session_duration: "24h",
    policies: policies.map((policy, precedence) => ({ id: policy, precedence })),
    created_at: now,
    updated_at: now,
    ...values,
  });
}

/** Stores an application whose only policy allows a group with the members. */
export function putTenant(store: Store, slug: string, members: string[]): void {
  putGroup(
    store,
    `group-${slug}`,
    members.map((email) => ({ email: { email } })),
  );
  putPolicy(store, `allow-${slug}`, { include: [{ group: { id: `group-${slug}` } }] });
  putPolicy(store, "open", { decision: "bypass", include: [{ everyone: {} }] });
  putApplication(store, slug, `${slug}.tenantry.localhost`, [`allow-${slug}`]);
  putApplication(store, `${slug}-health`, `${slug}.tenantry.localhost/api/health`, ["open"]);
}

export function authorize(
  access: Access,
  url: string,
  headers: Record<string, string> = {},
  method = "GET",
): Promise<Decision> {
  return access.authorize({ method, url: new URL(url), headers: new Headers(headers) });
}

/** Returns the status of the response, or "pass". */
export async function outcome(
  access: Access,
  url: string,
  headers: Record<string, string> = {},
  method = "GET",
): Promise<number | "pass"> {
  const decision = await authorize(access, url, headers, method);
  return decision.kind === "pass" ? "pass" : decision.response.status;
}

/** Stores cookies by host and follows redirects of the login. */
export class Browser {
  readonly #access: Access;
  readonly #jar = new Map<string, Map<string, string>>();

  constructor(access: Access) {
    this.#access = access;
  }

  cookie(url: string): string {
    const cookies = this.#jar.get(new URL(url).hostname) ?? new Map<string, string>();
    return [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  }

  async open(url: string): Promise<Decision> {
    const decision = await authorize(this.#access, url, { cookie: this.cookie(url) });
    if (decision.kind === "respond") this.#keep(url, decision.response);
    return decision;
  }

  async visit(url: string, init: RequestInit = {}): Promise<Response> {
    const response = await this.#access.fetch(
      new Request(url, { ...init, headers: { cookie: this.cookie(url), ...init.headers } }),
    );
    this.#keep(url, response);
    return response;
  }

  /** Opens a protected page and submits the login form. @returns the response to the form */
  async submit(url: string, email: string): Promise<Response> {
    const decision = await this.open(url);
    if (decision.kind === "pass") throw new Error(`${url} requires no login`);
    const form = new URL(decision.response.headers.get("location") ?? "");
    const fields = new URLSearchParams({
      email,
      browser: form.searchParams.get("browser") ?? "",
      redirect_url: form.searchParams.get("redirect_url") ?? "",
    });
    return this.visit(`${form.origin}${form.pathname}`, {
      method: "POST",
      body: fields,
      headers: { origin: form.origin },
    });
  }

  /** Logs in. @returns the final redirect target */
  async logIn(url: string, email: string): Promise<string> {
    const answer = await this.submit(url, email);
    const finished = await this.visit(answer.headers.get("location") ?? "");
    return finished.headers.get("location") ?? "";
  }

  #keep(url: string, response: Response): void {
    const host = new URL(url).hostname;
    const jar = this.#jar.get(host) ?? new Map<string, string>();
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (line.includes("Max-Age=0")) jar.delete(name);
      else jar.set(name, value);
    }
    this.#jar.set(host, jar);
  }
}
