/** Where the pages' commands run: a clone of the repository, and a local edge in place of the reader's Cloudflare account. */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { freePort } from "@tenantry/std/free-port";
import { expect } from "vitest";
import { parse, stringify } from "yaml";
import * as z from "zod";
import { CLIENT_VARIABLE } from "#fleet/postgres/postgres-client.ts";
import { ACCOUNT_ID, DOMAIN, ZONE_ID } from "#local/account.ts";
import type { Edge } from "#local/edge.ts";
import { Automation } from "#local/start/automation.ts";
import { deployment } from "#local/start/deployer/messages.ts";
import { stateEnvironment } from "#local/start/project.ts";
import { describeEdge, writeEdgeFile } from "#local/state/edge-file.ts";
import type { Job } from "#workers/contracts/api/jobs.ts";
import { ROOT } from "../../testing/engine.ts";
import { call, loggedIn } from "../../testing/http.ts";
import { openEdge, providersPort } from "../../testing/platform.ts";
import { setUpPostgresClient } from "../../testing/postgres-client.ts";
import { sql } from "../../testing/sql.ts";
import { cloneRepository, PROGRAMS, shellVariables } from "./clone.ts";
import type { Ran } from "./reader.ts";

export const DASHBOARD = `dash.${DOMAIN}`;
export const ROOT_USER = "root@tenantry.example";
/** The platform's stack in all pages. */
export const STACK = "prod";

const SHOWN_ERRORS = 20;
const SOON = { timeout: 120_000, interval: 200 };

const execute = promisify(execFile);

const clients = z.object({ data: z.array(z.looseObject({ id: z.string(), slug: z.string() })) });
const withInstance = z.looseObject({ instance: z.looseObject({ id: z.string() }) });

export class Site {
  readonly edge: Edge;
  /** The clone. */
  readonly directory: string;
  readonly variables: NodeJS.ProcessEnv;
  /** Commands of the present page. */
  ran: Ran[] = [];
  readonly #close: () => Promise<void>;
  #service: Automation | undefined;
  #healthPort: number | undefined;

  private constructor(edge: Edge, directory: string, variables: NodeJS.ProcessEnv, close: () => Promise<void>) {
    this.edge = edge;
    this.directory = directory;
    this.variables = variables;
    this.#close = close;
  }

  static async open(): Promise<Site> {
    const { edge, close } = await openEdge();
    const parent = mkdtempSync(join(tmpdir(), "tenantry-docs-"));
    const directory = join(parent, "tenantry");
    cloneRepository(directory);
    symlinkSync(edge.directory, join(directory, ".tenantry"));
    writeEdgeFile(edge.directory, describeEdge(edge, { automation: "http://127.0.0.1:9", tenants: [], users: [] }));
    const site = new Site(edge, directory, readerVariables(edge, parent), async () => {
      await close();
      rmSync(parent, { recursive: true, force: true });
    });
    site.write("Pulumi.prod.yaml", stringify({ config: platformSettings(edge) }));
    site.write("Pulumi.dev.yaml", stringify({ config: developmentSettings(edge) }));
    return site;
  }

  async close(): Promise<void> {
    await this.stopService();
    await this.#close();
  }

  /** For dumps of the database. */
  get backups(): string {
    return join(this.directory, "../backups");
  }

  emptyDirectory(): string {
    return mkdtempSync(join(this.directory, "../empty-"));
  }

  /** Makes PostgreSQL's client available to the commands. */
  async usePostgresClient(): Promise<void> {
    const client = await setUpPostgresClient();
    if ("fault" in client) throw new Error(client.fault);
    if (client.directory === undefined) return;
    this.variables[CLIENT_VARIABLE] = client.directory;
    this.variables.PATH = [client.directory, this.variables.PATH].join(delimiter);
  }

  /** Databases that restores have kept. */
  async keptDatabases(): Promise<string[]> {
    const rows = await sql(this.edge, "select datname from pg_database where datname like '%\\_before\\_%'");
    return z
      .array(z.object({ datname: z.string() }))
      .parse(rows)
      .map(({ datname }) => datname);
  }

  /** Deploys a stack of tenants. */
  async deploy(stack: string): Promise<void> {
    await this.#run("npm", "run", "fleet", "--", "up", stack);
  }

  /** Writes a file of the clone. */
  write(name: string, text: string): void {
    writeFileSync(join(this.directory, name), text);
  }

  /** Returns outputs of the platform's stack. */
  async outputs() {
    return deployment.parse(
      JSON.parse(await this.#run("pulumi", "stack", "output", "--json", "--show-secrets", "-s", STACK)),
    );
  }

  /** Runs a program in the clone; the edge is in this process, and must not be blocked. @returns its output */
  async #run(program: string, ...args: string[]): Promise<string> {
    return (await execute(program, args, { cwd: this.directory, env: this.variables })).stdout;
  }

  /** Starts the automation service of the platform. */
  async startService(): Promise<void> {
    await this.stopService();
    const { edge } = this;
    const engine = stateEnvironment(edge.directory, edge, providersPort(edge));
    const service = new Automation(edge, "production", await freePort(), { ...engine, PLATFORM_STACK: STACK });
    this.#service = service;
    service.start(await this.outputs());
  }

  async stopService(): Promise<void> {
    await this.#service?.stop();
    this.#service = undefined;
  }

  /** Sets the variable that `docs/how-to/call-the-api.md` tells the reader to set. */
  async logIn(): Promise<void> {
    this.variables.TOKEN = await this.edge.access.issue(ROOT_USER, DASHBOARD);
  }

  /** Calls the dashboard's API as a platform root. */
  async api(method: string, path: string, body?: object): Promise<unknown> {
    const headers = { ...(await loggedIn(this.edge, ROOT_USER, DASHBOARD)), "content-type": "application/json" };
    const options = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    const response = await call(this.edge, DASHBOARD, path, options);
    expect(response.status, `${method} ${path}: ${response.body}`).toBeLessThan(300);
    return response.body === "" ? undefined : JSON.parse(response.body);
  }

  /** Returns a free port, always the same. */
  async healthPort(): Promise<string> {
    this.#healthPort ??= await freePort();
    return String(this.#healthPort);
  }

  async clientId(slug: string): Promise<string> {
    const { data } = clients.parse(await this.api("GET", "/client"));
    return data.find((client) => client.slug === slug)?.id ?? "";
  }

  async instanceId(slug: string): Promise<string> {
    const { instance } = withInstance.parse(await this.api("GET", `/client/${await this.clientId(slug)}`));
    return instance.id;
  }

  /** Returns the output of the last command that contains `text`. */
  lastOutput(text: string): string {
    return this.ran.findLast((one) => one.text.includes(text))?.output ?? "";
  }

  /** Returns what Workers and containers logged as errors, which a failed command does not print. */
  errors(): string {
    const lines = readFileSync(join(this.edge.directory, "edge.log"), "utf8").split("\n");
    return lines
      .filter((line) => /\\?"level\\?":\\?"error\\?"/.test(line))
      .slice(-SHOWN_ERRORS)
      .join("\n");
  }

  /** Waits until what `path` returns has ended. */
  async ends(path: string): Promise<void> {
    await expect.poll(() => this.api("GET", path), SOON).toMatchObject({ ended_at: expect.any(String) });
  }

  /** Waits for a job. @throws if it failed */
  async jobEnds(id: string): Promise<void> {
    await this.ends(`/jobs/${id}`);
    const { kind, status, cause } = (await this.api("GET", `/jobs/${id}`)) as Job;
    expect({ kind, status, cause }).toMatchObject({ status: "succeeded" });
  }
}

/** The environment of the reader's shell. */
function readerVariables(edge: Edge, parent: string): NodeJS.ProcessEnv {
  const shell = shellVariables(parent);
  const state = stateEnvironment(edge.directory, edge, providersPort(edge));
  return {
    ...shell,
    ...state,
    PATH: [...PROGRAMS, state.PATH].join(delimiter),
    CLOUDFLARE_BASE_URL: edge.apiUrl,
    CLOUDFLARE_API_URL: edge.apiUrl,
    DASHBOARD: `http://${DASHBOARD}:${edge.port}`,
  };
}

/** What the reader replaces in `Pulumi.prod.yaml`, and what a local edge needs beside it. */
function platformSettings(edge: Edge, file = "Pulumi.prod.yaml") {
  const { config } = settingsFile.parse(parse(readFileSync(join(ROOT, file), "utf8")));
  const { restAuthenticator: _, ...platform } = config["tenantry:platform"];
  return {
    ...config,
    "tenantry:restUrl": edge.restUrl,
    "tenantry:accessIssuer": edge.accessIssuer,
    "tenantry:dispatchUrl": edge.dispatchUrls.production,
    "tenantry:aiGatewayUrl": edge.aiGatewayUrl,
    "tenantry:platform": {
      ...platform,
      domain: DOMAIN,
      accountId: ACCOUNT_ID,
      zoneId: ZONE_ID,
      containerImage: "registry.cloudflare.com/account/gateway:1",
      rootUsers: [ROOT_USER],
      gatewayMemoryMiB: 128,
    },
    "tenantry:clients": [{ slug: "acme", name: "Acme Corporation", plan: "pro" }],
  };
}

const settingsFile = z.object({
  config: z.looseObject({ "tenantry:platform": z.looseObject({ restAuthenticator: z.string().optional() }) }),
});

/** What the reader sets in `Pulumi.dev.yaml`. */
const developmentSettings = (edge: Edge) => ({
  ...platformSettings(edge, "Pulumi.dev.yaml"),
  "tenantry:dispatchUrl": edge.dispatchUrls.development,
  "tenantry:clients": [],
});
