/** A platform with a tenant of its own stack, one of another stack and one of the dashboard, and steps to rotate its secrets under traffic. */

import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { freePort } from "@tenantry/std/free-port";
import { listen } from "@tenantry/std/listening";
import { expect } from "vitest";
import { stringify } from "yaml";
import * as z from "zod";
import { engineCommand } from "#automation/engine/command-line.ts";
import type { Edge } from "#local/edge.ts";
import { Automation } from "#local/start/automation.ts";
import { engineEnvironment } from "#local/start/project.ts";
import { serviceVariables } from "../../testing/engine.ts";
import { call, callUntil, loggedIn } from "../../testing/http.ts";
import {
  clientSettings,
  deployed,
  encryptByPassphrase,
  openPlatform,
  platformSettings,
  providersPort,
  stackOf,
} from "../../testing/platform.ts";
import { sql } from "../../testing/sql.ts";
import { startTraffic, type TrafficReport } from "../../testing/traffic.ts";
import { type FleetRun, killFleets, runFleet } from "./fleet-run.ts";
import { refusedLogin, setRestKeys } from "./secret-checks.ts";

export const ACME = "acme.tenantry.localhost";
const LAB = "lab.tenantry.localhost";
const SHOP = "shop.tenantry.localhost";
/** Tenants of the platform's stack, of another stack and of the dashboard. */
export const TENANTS = [ACME, LAB, SHOP] as const;
const SLUGS = ["acme", "lab", "shop"] as const;
const DASH = "dash.tenantry.localhost";
export const ROOT_USER = "root@tenantry.example";
/** Ten probes at a time; a rotation takes several seconds. */
const BETWEEN_MS = 1_000;
export const REST_API_KEY = "first-api-key-of-the-rest-layer";

/** The automation service's variables that a rotation changes. */
const serviceSecrets = z.object({ INVALIDATE_TOKEN: z.string(), LIVE_TOKEN: z.string(), DATABASE_URL: z.string() });
type ServiceSecrets = z.infer<typeof serviceSecrets>;

export const settings = () =>
  platformSettings([{ slug: "acme", partner: "globex" }], {
    "tenantry:providerKeys": { openai: "sk-first" },
    "tenantry:restApiKey": REST_API_KEY,
  });

export class RotationPlatform {
  readonly edge: Edge;
  /** Folder of the stack files. */
  readonly directory: string;
  readonly platformFile: string;
  /** Secrets of the automation service. */
  service: ServiceSecrets;
  automation: Automation | undefined;
  readonly #closeEdge: () => Promise<void>;
  /** Receives the variables of {@link restartCommand}. */
  readonly #restarts = createServer((request, response) => {
    void json(request).then((body) => {
      this.service = serviceSecrets.parse(body);
      return this.#restartService().then(() => response.end());
    });
  });
  #endTraffic: (() => Promise<TrafficReport>) | undefined;

  private constructor(edge: Edge, closeEdge: () => Promise<void>, service: ServiceSecrets) {
    this.edge = edge;
    this.directory = mkdtempSync(join(tmpdir(), "tenantry-rotation-"));
    this.platformFile = join(this.directory, "Pulumi.whole.yaml");
    this.#closeEdge = closeEdge;
    this.service = service;
  }

  static async open(): Promise<RotationPlatform> {
    const { edge, close } = await openPlatform();
    try {
      await setRestKeys(edge, { apiKeys: [REST_API_KEY] });
      const outputs = await deployed(await stackOf(edge, settings()));
      const platform = new RotationPlatform(edge, close, {
        INVALIDATE_TOKEN: outputs.invalidateToken,
        LIVE_TOKEN: outputs.liveToken,
        DATABASE_URL: outputs.serviceUrl,
      });
      await platform.#deployTenants();
      return platform;
    } catch (error) {
      killFleets();
      await close();
      throw error;
    }
  }

  async close(): Promise<void> {
    killFleets();
    this.#restarts.close();
    await this.automation?.stop();
    await this.#closeEdge();
    rmSync(this.directory, { recursive: true, force: true });
  }

  async #deployTenants(): Promise<void> {
    mkdirSync(join(this.directory, "tenants"));
    writeFileSync(this.platformFile, `# The platform.\n${stringify({ config: settings() })}`);
    const lab = { "tenantry:platformStack": "whole", "tenantry:clients": clientSettings([{ slug: "lab" }]) };
    writeFileSync(join(this.directory, "tenants", "Pulumi.prod-lab.yaml"), stringify({ config: lab }));
    const up = await this.fleet(["up"]);
    expect(up, up.progress).toMatchObject({ code: 0 });
    await listen(this.#restarts, { port: 0 });
    await this.#restartService();
    await this.#provision("shop");
    for (const host of TENANTS) {
      await callUntil(
        () => this.ask(host),
        ({ status }) => status === 200,
      );
    }
  }

  async #restartService(): Promise<void> {
    await this.automation?.stop();
    this.automation = new Automation(this.edge, "production", await freePort(), serviceVariables(this.edge));
    const { DATABASE_URL: serviceUrl, INVALIDATE_TOKEN: invalidateToken, LIVE_TOKEN: liveToken } = this.service;
    this.automation.start({ tenants: {}, dashboard: DASH, serviceUrl, invalidateToken, liveToken });
  }

  /** Creates a tenant by the dashboard's API, and waits until it runs. */
  async #provision(slug: string): Promise<void> {
    const request = async (method: string, path: string, body: object) =>
      z.object({ id: z.string() }).parse(await this.#change(method, path, body));
    const { id } = await request("POST", "/client/new", { slug, name: slug, billing_plan: "basic" });
    await request("PUT", "/client/update", { id, status: "active" });
    const instance = await request("POST", "/client/instance/create", { client_id: id });
    await callUntil(
      () => this.asRoot(DASH, `/client/instance/${instance.id}`),
      ({ body }) => JSON.parse(body).status === "running",
    );
  }

  async #change(method: string, path: string, body: object): Promise<unknown> {
    const headers = { ...(await loggedIn(this.edge, ROOT_USER, DASH)), "content-type": "application/json" };
    const response = await call(this.edge, DASH, path, { method, headers, body: JSON.stringify(body) });
    expect(response.status, response.body).toBeLessThan(300);
    return JSON.parse(response.body);
  }

  /** Creates a door of the first tenant with a bearer token by the dashboard's API. */
  async createDoor(name: string) {
    const rows = await sql(this.edge, "select id from tenantry.instances where worker_name = 'tenant-acme'");
    const [{ id }] = z.tuple([z.object({ id: z.string() })]).parse(rows);
    const created = await this.#change("POST", `/api/instances/${id}/doors`, { kind: "bearer", name });
    return z.object({ id: z.string(), generated: z.object({ token: z.string() }) }).parse(created);
  }

  fleet(args: readonly string[], input?: string, variables: Record<string, string> = {}): Promise<FleetRun> {
    return runFleet(
      this.edge,
      [...args, "--tenants", join(this.directory, "tenants")],
      { ...this.engineVariables(), ...variables },
      input,
    );
  }

  engineVariables(): Record<string, string> {
    return engineEnvironment(this.edge.directory, this.edge, "production", providersPort(this.edge));
  }

  rotate(secret: string, ...more: string[]): Promise<FleetRun> {
    return this.fleet(["rotate", secret, "--stack", "whole", "--pause", "0", ...more]);
  }

  /** Rotates a secret, and expects that no request fails meanwhile. @param input on standard input */
  async rotateUnderTraffic(secret: string, more: readonly string[] = [], input?: string): Promise<FleetRun> {
    await this.startTraffic();
    const run = await this.fleet(["rotate", secret, "--stack", "whole", ...more], input);
    expect(run, run.progress).toMatchObject({ code: 0 });
    await this.expectNoFailures();
    return run;
  }

  /** Options that restart the automation service with the new secrets. */
  restartCommand(): string[] {
    const { port } = this.#restarts.address() as AddressInfo;
    const names = JSON.stringify(serviceSecrets.keyof().options);
    const program = `fetch("http://127.0.0.1:${port}", { method: "POST", body: JSON.stringify(Object.fromEntries(${names}.map((name) => [name, process.env[name]]))) })`;
    return ["--service", `"${process.execPath}" -e '${program}'`];
  }

  async asRoot(host: string, path: string) {
    return call(this.edge, host, path, { headers: await loggedIn(this.edge, ROOT_USER, host) });
  }

  /** Sends a message to the tenant's agent, which uses the AI gateway and the provider's key. */
  async ask(host: string) {
    const headers = { ...(await loggedIn(this.edge, ROOT_USER, host)), "content-type": "application/json" };
    const body = JSON.stringify({ text: "Are you there?" });
    return call(this.edge, host, "/api/ask", { method: "POST", headers, body });
  }

  /** Like {@link ask}, but waits for a gateway that restarts. */
  askOnceStarted(host: string) {
    return callUntil(
      () => this.ask(host),
      ({ status, body }) => status !== 503 || !body.includes("gateway_starting"),
    );
  }

  invalidate(token: string, slug = "acme") {
    const headers = { authorization: `Bearer ${token}` };
    return call(this.edge, "_dispatch.tenantry.localhost", `/_invalidate/${slug}`, { headers });
  }

  push(token: string) {
    const event = { id: 1, kind: "a.b", partner_id: null, client_id: null, data: {}, at: new Date().toISOString() };
    return call(this.edge, DASH, "/internal/live", {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ last: 1, events: [event] }),
    });
  }

  /** Returns the process id of a tenant's running gateway. */
  async gatewayOf(host: string): Promise<string> {
    const { body } = await callUntil(
      () => this.asRoot(host, "/api/health"),
      ({ status, body }) => status === 200 && JSON.parse(body).status === "running",
    );
    return z.object({ processId: z.string() }).parse(JSON.parse(body)).processId;
  }

  async startTraffic(ask = (host: string) => this.ask(host)): Promise<void> {
    const { edge } = this;
    const rows = await sql(edge, "select id from tenantry.instances where worker_name = 'tenant-acme'");
    const [{ id }] = z.tuple([z.object({ id: z.string() })]).parse(rows);
    const passiveHealth = () =>
      call(edge, ACME, "/api/health?passive=1", {
        headers: { authorization: `Bearer ${this.service.INVALIDATE_TOKEN}` },
      });
    const probes = {
      "a tenant's agent": { ask: () => ask(ACME), status: 200 },
      "an agent of another stack": { ask: () => ask(LAB), status: 200 },
      "an agent of the dashboard's tenant": { ask: () => ask(SHOP), status: 200 },
      health: { ask: passiveHealth, status: 200 },
      "the dashboard": { ask: () => this.asRoot(DASH, "/client"), status: 200 },
      "the dashboard's requests to a tenant": {
        ask: () => this.asRoot(DASH, `/client/instance/${id}/backups`),
        status: 200,
      },
      "the dashboard's analytics": { ask: () => this.asRoot(DASH, "/analytics/global"), status: 200 },
      "the service's requests to tenants": {
        ask: () => this.invalidate(this.service.INVALIDATE_TOKEN, "nobody"),
        status: 200,
      },
      "the service's database connections": {
        ask: async () => {
          const refusal = await refusedLogin(this.service.DATABASE_URL);
          return { status: refusal === undefined ? 200 : 500, headers: {}, body: refusal ?? "" };
        },
        status: 200,
      },
      "the service's events": { ask: () => this.push(this.service.LIVE_TOKEN), status: 204 },
    };
    this.#endTraffic = startTraffic(probes, BETWEEN_MS);
  }

  async stopTraffic(): Promise<TrafficReport | undefined> {
    return this.#endTraffic?.();
  }

  async expectNoFailures(): Promise<void> {
    const report = await this.stopTraffic();
    const failures = report?.failures ?? [];
    const logs = failures.length === 0 ? [] : TENANTS.map((host) => this.asRoot(host, "/api/admin/gateway/log"));
    expect(failures, (await Promise.all(logs)).map(({ body }) => body).join("\n")).toEqual([]);
    expect(Math.min(...Object.values(report?.answers ?? {}))).toBeGreaterThan(0);
    console.info(JSON.stringify(report?.answers));
  }

  secretsOf(script: string): Record<string, string> {
    const bindings = this.edge.store.get("script", script)?.bindings ?? [];
    return Object.fromEntries(bindings.map(({ name, text }) => [name, String(text)]));
  }

  tenantSecrets(): Record<string, string>[] {
    return SLUGS.map((slug) => this.secretsOf(`tenants/tenant-${slug}`));
  }

  /** Names of API tokens that match. */
  tokens(pattern: RegExp): string[] {
    const names = this.edge.store.list("api_token").map(({ name }) => name);
    return names.filter((name) => pattern.test(name)).toSorted();
  }

  /** Encrypts all stacks, and the secrets in their files, by the engine's passphrase. */
  async encryptAllByPassphrase(): Promise<void> {
    encryptByPassphrase();
    const directory = mkdtempSync(join(this.directory, "project-"));
    writeFileSync(join(directory, "Pulumi.yaml"), stringify({ name: "tenantry", runtime: "nodejs" }));
    const engine = (...args: string[]) =>
      engineCommand(args, directory, this.engineVariables(), { input: `${this.edge.passphrase}\n` });
    const stacks = z.array(z.object({ name: z.string() })).parse(JSON.parse(await engine("stack", "ls", "--json")));
    expect(stacks.map(({ name }) => name)).toEqual(["prod-lab", "production-shop", "whole"]);
    for (const { name } of stacks) {
      const file = name === "whole" ? this.platformFile : join(this.directory, "tenants", `Pulumi.${name}.yaml`);
      const copy = join(directory, `Pulumi.${name}.yaml`);
      // The dashboard's tenants have no file.
      const hasFile = existsSync(file);
      if (hasFile) copyFileSync(file, copy);
      await engine("stack", "change-secrets-provider", "passphrase", "--stack", name);
      if (hasFile) copyFileSync(copy, file);
    }
  }
}
