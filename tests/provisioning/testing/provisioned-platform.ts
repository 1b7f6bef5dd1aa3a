/** A platform with the automation service of `npm start`, and its API as a platform root calls it. */
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Stack } from "@pulumi/pulumi/automation/index.js";
import type { RecordKind, WeatherOptions } from "@tenantry/edge";
import { freePort } from "@tenantry/std/free-port";
import Cloudflare from "cloudflare";
import { expect } from "vitest";
import { ACCOUNT_ID } from "#local/account.ts";
import type { Edge } from "#local/edge.ts";
import { Automation, automationVariables } from "#local/start/automation.ts";
import type { Deployment } from "#local/start/deployer/messages.ts";
import type { Instance } from "#workers/contracts/api/instances/instances.ts";
import type { Job } from "#workers/contracts/api/jobs.ts";
import type { Client } from "#workers/contracts/api/tenants/clients.ts";
import { processesOf } from "../../testing/edge-program.ts";
import { serviceVariables } from "../../testing/engine.ts";
import { call, loggedIn } from "../../testing/http.ts";
import { clientSettings, deployed, openPlatform, platformSettings, stackOf } from "../../testing/platform.ts";
import { sql } from "../../testing/sql.ts";

export const DASHBOARD = "dash.tenantry.localhost";
export const ROOT = "root@tenantry.example";
/** Reasons of a request that can be repeated. */
const DATABASE_LOST = /"(database_not_available|change_not_confirmed)"/;
/** Longer than the queue waits between six attempts, which is 233 s: under weather several may fail. */
const SOON = { timeout: 400_000, interval: 200 };
const RETRY_MS = 500;
const RETRIES = 60;

export interface JobEvent {
  kind: string;
  message: string;
  step: { phase: string; operation: string; type: string; resource: string } | null;
}
export type WatchedJob = Job & { events: JobEvent[] };

export interface Held {
  applications: string[];
  policies: string[];
  groups: string[];
  tokens: string[];
  buckets: string[];
  gateways: string[];
}

/** Resources of a deployed tenant in the account. @param gateways dedicated ones. Default: none */
export const deployedTenant = (slug: string, gateways: string[] = []): Held => ({
  applications: [`${slug}.tenantry.localhost`],
  policies: [`Tenant ${slug}: members`, `Tenant ${slug}: service tokens`],
  groups: [`Members of ${slug}.tenantry.localhost`],
  tokens: [`AI gateway of ${slug}`],
  buckets: [`tenantry-backups-${slug}`],
  gateways,
});

/** Resources of a deleted tenant: a bucket only. */
export const bucketAlone = (slug: string): Held => ({
  applications: [],
  policies: [],
  groups: [],
  tokens: [],
  buckets: [`tenantry-backups-${slug}`],
  gateways: [],
});

export class ProvisionedPlatform {
  readonly edge: Edge;
  readonly cloudflare: Cloudflare;
  readonly #outputs: Deployment;
  readonly #services: Automation[] = [];
  readonly #close: () => Promise<void>;

  private constructor(edge: Edge, outputs: Deployment, close: () => Promise<void>) {
    this.edge = edge;
    this.cloudflare = new Cloudflare({ apiToken: edge.apiToken, baseURL: edge.apiUrl });
    this.#outputs = outputs;
    this.#close = close;
  }

  /** @param clients in Git. Default: none @param weather is paused. Default: none */
  static async open(
    clients: Parameters<typeof platformSettings>[0] = [],
    weather?: WeatherOptions,
  ): Promise<ProvisionedPlatform> {
    const { edge, close } = await openPlatform(weather && { weather });
    edge.weather?.pause();
    try {
      const outputs = await deployed(await stackOf(edge, platformSettings(clients)));
      const platform = new ProvisionedPlatform(edge, outputs, close);
      await platform.startService();
      return platform;
    } catch (error) {
      await close();
      throw error;
    }
  }

  /** Starts the service, or another replica. */
  async startService(): Promise<void> {
    const { edge } = this;
    const service = new Automation(edge, "production", await freePort(), serviceVariables(edge));
    this.#services.push(service);
    service.start(this.#outputs);
  }

  /** Returns the variables of a service that the caller starts. @param healthPort port of its health checks */
  variables(healthPort: number): Record<string, string> {
    return automationVariables(this.edge, "production", healthPort, serviceVariables(this.edge), this.#outputs);
  }

  /** Stops all replicas. */
  async stopService(): Promise<void> {
    await Promise.all(this.#services.splice(0).map((service) => service.stop()));
  }

  async close(): Promise<void> {
    await this.stopService();
    await this.#close();
  }

  /** Repeats a request with the same key while the database is not available, as pages do. */
  async #ask<T>(method: string, path: string, body?: object): Promise<T> {
    const headers = {
      ...(await loggedIn(this.edge, ROOT, DASHBOARD)),
      "content-type": "application/json",
      ...(method === "POST" && { "idempotency-key": randomUUID() }),
    };
    const sent = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    let answer = await call(this.edge, DASHBOARD, path, sent);
    for (let retry = 0; retry < RETRIES && DATABASE_LOST.test(answer.body); retry += 1) {
      await delay(RETRY_MS);
      answer = await call(this.edge, DASHBOARD, path, sent);
    }
    expect(answer.status, `${method} ${path}: ${answer.body}`).toBeLessThan(300);
    return JSON.parse(answer.body);
  }

  /** Returns the error of a refused request. */
  async refused(method: string, path: string): Promise<{ code: string; message: string }> {
    const answer = await call(this.edge, DASHBOARD, path, {
      method,
      headers: await loggedIn(this.edge, ROOT, DASHBOARD),
    });
    expect(answer.status, `${method} ${path}: ${answer.body}`).toBeGreaterThanOrEqual(400);
    return JSON.parse(answer.body).error;
  }

  /** Creates a client that is active. */
  async newClient(slug: string, billing_plan = "basic"): Promise<Client> {
    const { id } = await this.#ask<Client>("POST", "/client/new", { slug, name: `Client ${slug}`, billing_plan });
    return this.#ask("PUT", "/client/update", { id, status: "active" });
  }

  provision(client_id: string, named: { ai_gateway_id?: string; use_kept_backups?: boolean } = {}): Promise<Instance> {
    return this.#ask("POST", "/client/instance/create", { client_id, ...named });
  }

  /** Deletes a client and its instance without a grace period. Resolves when the slug is free. */
  async deleteNow(id: string, instance: string): Promise<void> {
    await this.ended((await this.remove(instance)).job?.id);
    await this.#ask("DELETE", `/client/${id}`);
    await this.#ask("DELETE", `/client/${id}?now=true`);
    const headers = await loggedIn(this.edge, ROOT, DASHBOARD);
    const status = async () => (await call(this.edge, DASHBOARD, `/client/${id}`, { headers })).status;
    await expect.poll(status, SOON).toBe(404);
  }

  remove(id: string): Promise<Instance> {
    return this.#ask("DELETE", `/client/instance/${id}`);
  }

  changePlan(id: string, plan: string): Promise<Instance> {
    return this.#ask("PUT", `/client/instance/${id}/worker-plan/${plan}`);
  }

  assignGateway(id: string, ai_gateway_id: string): Promise<Job> {
    return this.#ask("POST", `/api/instances/${id}/assign-gateway`, { ai_gateway_id });
  }

  rotateToken(id: string): Promise<Job> {
    return this.#ask("POST", `/client/instance/${id}/rotate-token`);
  }

  /** @returns the backup's id */
  async backUp(id: string): Promise<string> {
    const { backup } = await this.#ask<{ backup: { id: string } | null }>("POST", `/client/instance/${id}/backup`);
    if (backup === null) throw new Error("There was nothing to back up, or it took too long.");
    return backup.id;
  }

  /** Newest first. */
  async backups(id: string): Promise<{ id: string; gateway: { name: string; version: string } | null }[]> {
    return (await this.#ask<{ data: [] }>("GET", `/client/instance/${id}/backups`)).data;
  }

  restore(id: string, backup_id: string): Promise<Job> {
    return this.#ask("POST", `/client/instance/${id}/restore`, { backup_id });
  }

  instance(id: string): Promise<Instance> {
    return this.#ask("GET", `/client/instance/${id}`);
  }

  job(id: string): Promise<WatchedJob> {
    return this.#ask("GET", `/jobs/${id}`);
  }

  /** Returns the job when it has ended. */
  async ended(id: string | undefined): Promise<WatchedJob> {
    if (id === undefined) throw new Error("There is no job.");
    const ended = expect.poll(async () => (await this.job(id)).ended_at, SOON).toBeTruthy();
    await ended.catch(async (error: unknown) => {
      throw new Error(`The job has not ended:\n${await this.#stateOf(id)}`, { cause: error });
    });
    return this.job(id);
  }

  /** Describes a job, its place in the queue, and what the service logged last. */
  async #stateOf(id: string): Promise<string> {
    const queue = "graphile_worker";
    const { events, ...job } = await this.job(id);
    const queued = await sql(
      this.edge,
      `select j.id, j.attempts, j.run_at, j.locked_at, j.locked_by, j.last_error, q.queue_name, q.locked_at as queue_locked_at, now()
       from ${queue}._private_jobs j left join ${queue}._private_job_queues q on q.id = j.job_queue_id where j.payload ->> 'id' = $1`,
      [id],
    );
    const logged = readFileSync(join(this.edge.directory, "automation.log"), "utf8").trimEnd().split("\n");
    return [
      JSON.stringify({ job, queued }),
      ...events.map((event) => JSON.stringify(event)),
      ...logged.slice(-40),
    ].join("\n");
  }

  /** Resolves when a job has reached a percentage. */
  async reached(id: string, progress: number): Promise<void> {
    await expect.poll(async () => (await this.job(id)).progress, SOON).toBeGreaterThanOrEqual(progress);
  }

  /**
   * Kills the service and its run when the account has created a resource of a kind, before the run receives the response. Resolves when all
   * kinds were created.
   */
  killedAtEach(kinds: readonly RecordKind[]): Promise<void> {
    const left = new Set(kinds);
    return new Promise((resolve) => {
      this.edge.store.onChange(({ operation, kind }) => {
        if (operation !== "put" || !left.delete(kind)) return;
        const runs = processesOf(this.edge.directory).filter(({ command }) =>
          command.includes("automation/engine/main.ts"),
        );
        // Requests in progress at the kill still create resources.
        if (runs.length > 0) this.killService();
        for (const { pid } of runs) process.kill(-pid, "SIGKILL");
        if (left.size === 0) resolve();
      });
    });
  }

  /** Kills a process of the service, by default the one that runs the engine. It restarts, and must stop its own children. */
  killService(): void {
    const services = processesOf("automation/main.ts").filter(
      ({ parent, command }) => parent === process.pid && command.includes("automation/main.ts"),
    );
    const busy = new Set(processesOf("automation/engine/main.ts").map(({ parent }) => parent));
    const service = services.find(({ pid }) => busy.has(pid)) ?? services[0];
    if (service === undefined) throw new Error("There is no process of the service.");
    process.kill(service.pid, "SIGKILL");
  }

  /** The stack of a tenant in Git. */
  tenantStack(slug: string, plan: string): Promise<Stack> {
    const settings = {
      "tenantry:environment": "production",
      "tenantry:platformStack": "whole",
      "tenantry:clients": clientSettings([{ slug, plan }]),
    };
    return stackOf(this.edge, settings, `prod-${slug}`);
  }

  /** Calls the API as the platform's root. @param method in capital letters */
  api<T>(method: string, path: string, body?: object): Promise<T> {
    return this.#ask(method, path, body);
  }

  /** Returns a tenant's resources in the account by name; each must exist once. */
  async heldOf(slug: string): Promise<Held> {
    const { cloudflare } = this;
    const account_id = ACCOUNT_ID;
    const host = `${slug}.tenantry.localhost`;
    const names = async <T>(list: AsyncIterable<T>, name: (item: T) => string | undefined) => {
      const found: string[] = [];
      for await (const item of list) found.push(name(item) ?? "");
      return found.filter((one) => one.includes(slug)).toSorted();
    };
    const { buckets = [] } = await cloudflare.r2.buckets.list({ account_id });
    return {
      applications: await names(cloudflare.zeroTrust.access.applications.list({ account_id }), (one) =>
        "domain" in one && one.domain === host ? host : undefined,
      ),
      policies: await names(cloudflare.zeroTrust.access.policies.list({ account_id }), ({ name }) => name),
      tokens: await names(cloudflare.accounts.tokens.list({ account_id }), ({ name }) => name),
      groups: await names(cloudflare.zeroTrust.access.groups.list({ account_id }), ({ name }) => name),
      buckets: buckets.map(({ name }) => name ?? "").filter((name) => name.includes(slug)),
      gateways: await names(cloudflare.aiGateway.list({ account_id }), ({ id }) => id),
    };
  }
}
