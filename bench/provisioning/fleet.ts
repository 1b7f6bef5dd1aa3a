/** A platform with tenants that have stacks of their own, and database rows of more tenants. */
import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { faults, type Weather } from "@tenantry/edge";
import { EngineRuns } from "#automation/engine/runs.ts";
import { type ExportedState, exportState } from "#automation/engine/state/scratch-backend.ts";
import type { FleetReport } from "#fleet/outcome/report.ts";
import type { Edge } from "#local/edge.ts";
import { startProviders } from "#local/providers/providers.ts";
import { stateEnvironment } from "#local/start/project.ts";
import { clientSettings, openEdge, platformSettings, stackOf as platformStack } from "#tests/testing/platform.ts";
import { sql } from "#tests/testing/sql.ts";
import { measureTime } from "../measure.ts";
import { type CallCounter, countCalls } from "./calls.ts";

export const ROOT = join(import.meta.dirname, "../..");
/** Account limit of each kind, for a thousand tenants. */
const LIMIT = 100_000;
export const PLATFORM = "organization/tenantry/whole";
const HEAP_MIB = 768;
const GATEWAY = "one-of-somebody-elses";
const STAND_INS = ["cloudflare", "postgresql", "random"];

export interface Tenant {
  slug: string;
  plan: "basic" | "pro";
}

export interface Fleet {
  edge: Edge;
  /** Faults of the Cloudflare API, with the times of production. Paused. */
  weather: Weather;
  calls: CallCounter;
  /** Of the engine: the plugin `tenantry` starts with each run, as in production; the stand-ins already run. */
  variables: Readonly<Record<string, string>>;
  files: string;
  /** Sets the number of additional tenants in the database, each of a stack of its own. */
  resize(rows: number): Promise<void>;
  declare(tenant: Tenant): void;
  /** Commits the files. @returns the commit */
  commit(): Promise<string>;
  /** Runs `npm run fleet` without npm. @returns milliseconds @throws Error unless `changed` tenants are previewed, all of them changed */
  preview(args: readonly string[], changed: number): Promise<number>;
  /** Updates a tenant's stack like the automation service. @returns milliseconds */
  up(tenant: Tenant): Promise<number>;
  stateOf(stack: string): Promise<ExportedState>;
  close(): Promise<void>;
}

let count = 0;
export const newTenant = (): Tenant => ({ slug: `new-${++count}`, plan: "basic" });

export const stackOf = (slug: string): string => `prod-${slug}`;

export const configOf = ({ slug, plan }: Tenant): Record<string, unknown> => ({
  "tenantry:environment": "production",
  "tenantry:platformStack": PLATFORM,
  "tenantry:clients": clientSettings([{ slug, plan, aiGateway: GATEWAY }]),
});

export async function openFleet(): Promise<Fleet> {
  const { edge, close } = await openEdge({ weather: { seed: 1, rates: withoutOtherFaults() } });
  const directory = mkdtempSync(join(tmpdir(), "tenantry-bench-"));
  const endings: (() => unknown)[] = [close, () => rmSync(directory, { recursive: true, force: true })];
  const end = async () => {
    for (const ending of endings.toReversed()) await ending();
  };
  try {
    const { weather } = edge;
    if (weather === undefined) throw new Error("The edge has no weather.");
    weather.pause();
    const settings = platformSettings([]);
    const limits = Object.fromEntries(
      ["accessApplications", "accessGroups", "accessPolicies", "apiTokens", "aiGateways"].map((kind) => [kind, LIMIT]),
    );
    const platform = { ...settings["tenantry:platform"], limits };
    const stack = await platformStack(edge, { ...settings, "tenantry:platform": platform });
    await stack.up();
    const databaseUrl: unknown = (await stack.outputs()).databaseUrl?.value;
    const calls = await countCalls(edge, new URL(String(databaseUrl)).username);
    endings.push(() => calls.close());
    const variables = await engineVariables(edge, calls.apiUrl, join(directory, "plug-ins"), endings);
    const files = join(directory, "repository");
    mkdirSync(files);
    const git = async (...args: string[]) =>
      (await promisify(execFile)("git", ["-C", files, ...IDENTITY, ...args])).stdout;
    await git("init", "-q", "-b", "main");
    const runs = new EngineRuns({ variables, memoryMib: HEAP_MIB });
    return {
      edge,
      weather,
      calls,
      variables,
      files,
      up: (tenant) =>
        measureTime(() => {
          const order = { stack: stackOf(tenant.slug), operation: "up" as const, config: configOf(tenant) };
          return runs.run(order, { signal: new AbortController().signal });
        }),
      resize: (rows) => resizeFleet(edge, rows),
      declare: (tenant) =>
        writeFileSync(join(files, `Pulumi.${stackOf(tenant.slug)}.yaml`), JSON.stringify({ config: configOf(tenant) })),
      commit: async () => {
        await git("add", "-A");
        await git("commit", "-q", "-m", "tenants");
        return (await git("rev-parse", "HEAD")).trim();
      },
      preview: (args, changed) => previewFleet([...args, "--tenants", files], changed, variables),
      stateOf: async (name) => {
        const state = await exportState(name, variables);
        if (state === undefined) throw new Error(`The stack ${name} does not exist.`);
        return state;
      },
      close: end,
    };
  } catch (error) {
    await end();
    throw error;
  }
}

const withoutOtherFaults = () =>
  Object.fromEntries(Object.entries(faults).flatMap(([name, { where }]) => (where === "api" ? [] : [[name, 0]])));

const IDENTITY = ["-c", "user.name=Bench", "-c", "user.email=bench@example.com", "-c", "commit.gpgsign=false"];

/** The engine's variables. Executables on its `PATH` name the running stand-ins, because the variable for it would include `tenantry`. */
async function engineVariables(
  edge: Edge,
  apiUrl: string,
  plugIns: string,
  endings: (() => unknown)[],
): Promise<Record<string, string>> {
  const environment = { ...process.env, CLOUDFLARE_API_TOKEN: edge.apiToken, CLOUDFLARE_BASE_URL: apiUrl };
  const providers = await startProviders({ environment });
  endings.push(() => providers.stop());
  mkdirSync(plugIns);
  for (const name of STAND_INS) {
    const path = join(plugIns, `pulumi-resource-${name}`);
    writeFileSync(path, `#!/bin/sh\necho ${providers.port}\nexec cat\n`);
    chmodSync(path, 0o755);
  }
  const own = Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  return {
    ...Object.fromEntries(own),
    ...stateEnvironment(edge.directory, edge, undefined),
    CLOUDFLARE_BASE_URL: apiUrl,
    PATH: [plugIns, process.env.PATH].join(delimiter),
  };
}

async function resizeFleet(edge: Edge, rows: number): Promise<void> {
  await sql(edge, "delete from tenantry.instances where worker_name like 'tenant-row-%'");
  await sql(edge, "delete from tenantry.clients where slug like 'row-%'");
  await insertRows(edge, "row-", rows);
}

/** Inserts rows of the tenants `{prefix}1` to `{prefix}{count}` as their stacks would. */
export async function insertRows(edge: Edge, prefix: string, count: number): Promise<void> {
  const owner = (type: string, name: string) =>
    `'urn:pulumi:prod-' || slug || '::tenantry::tenantry:components:Client$${type}tenantry:index:DatabaseRecord::${name}-' || slug`;
  await sql(
    edge,
    `with made as (
      insert into tenantry.clients (slug, name, billing_plan, status, environment, owner)
      select slug, 'Client ' || slug, 'basic', 'active', 'production', ${owner("", "client")}
      from (select $1 || number as slug from generate_series(1, $2::int) number) numbered
      returning id, slug
    )
    insert into tenantry.instances (client_id, environment, status, worker_name, ai_gateway_id, owner)
    select id, 'production', 'running', 'tenant-' || slug, $3, ${owner("tenantry:components:Instance$", "instance")}
    from made`,
    [prefix, count, GATEWAY],
  );
}

async function previewFleet(args: readonly string[], changed: number, env: NodeJS.ProcessEnv): Promise<number> {
  let stdout = "";
  const took = await measureTime(async () => {
    ({ stdout } = await promisify(execFile)(
      process.execPath,
      ["--disable-warning=ExperimentalWarning", "fleet/main.ts", "preview", "--json", ...args],
      { cwd: ROOT, env, maxBuffer: 1 << 26 },
    ));
  });
  const { stacks }: FleetReport = JSON.parse(stdout);
  const fates = stacks.flatMap(({ tenants }) => tenants.map(({ fate }) => fate));
  if (fates.length !== changed || fates.some((fate) => fate !== "changed")) {
    throw new Error(`Expected ${changed} changed tenants in the preview: ${stdout}`);
  }
  return took;
}
