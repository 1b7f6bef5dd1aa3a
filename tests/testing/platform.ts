/** Local edges for tests, and stacks that the real engine deploys to them. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Stack } from "@pulumi/pulumi/automation/index.js";
import { pulumiCommand, quickStack } from "@tenantry/automation-api";
import { IMAGES_FILE, type Product, type StandIns, type WeatherOptions } from "@tenantry/edge";
import type { Images, PreparedEngine } from "@tenantry/edge/containers";
import { sharedHost } from "@tenantry/edge/testing/runtime";
import { removeDatabase } from "@tenantry/postgres";
import { copyEmptyCluster } from "@tenantry/postgres/testing/prepared-cluster";
import { reservedPort } from "@tenantry/test-kit/reserved-port";
import { onTestFinished } from "vitest";
import { withoutTraces } from "#components/testing/without-traces.ts";
import type { Environment } from "#domain/environment.ts";
import { ACCOUNT_ID, DOMAIN, ZONE_ID } from "#local/account.ts";
import { type Edge, startEdge } from "#local/edge.ts";
import { startProvidersFor } from "#local/providers/providers.ts";
import type { Deployment } from "#local/start/deployer/messages.ts";
import {
  currentOutputs,
  type DeploymentOptions,
  openStack,
  selectStack,
  workspaceOptions,
} from "#local/start/deployment.ts";
import { keptSnapshot } from "./cached-platform.ts";
import { copySnapshot, type Snapshot, snapshotDirectory } from "./platform-snapshot.ts";

/** Ports of the providers of each edge. */
const providersPorts = new WeakMap<Edge, number>();

/** Returns the port of the providers that serve engine runs against `edge`. */
export function providersPort(edge: Edge): number {
  const port = providersPorts.get(edge);
  if (port === undefined) throw new Error("This edge was not opened for tests.");
  return port;
}

/** Has the edge's own gateway. */
export const GATEWAY_IMAGE = "registry.cloudflare.com/account/gateway:1";

export interface EdgeSettings {
  /** Command of the gateway. Default: the reference gateway. */
  gatewayCommand?: string[];
  /** Images of its containers: see {@link setImages}. */
  images?: Images;
  /** Faults of Cloudflare in production. Default: none. */
  weather?: WeatherOptions;
  /** Products that the account has not enabled. Default: none. */
  withoutProducts?: readonly Product[];
  /** Hosts outside the account, by name. Default: none. */
  internet?: StandIns;
  /** The machine's container engine. Default: containers are processes. */
  containers?: PreparedEngine;
}

export interface OpenEdge {
  edge: Edge;
  /** Stops the edge and removes its directory. */
  close: () => Promise<void>;
}

/** Starts an empty edge in a temporary directory. */
export const openEdge = (settings: EdgeSettings = {}): Promise<OpenEdge> =>
  inTemporaryDirectory(async (directory) => {
    await copyEmptyCluster(join(directory, "postgres"));
    return start(directory, settings);
  });

/**
 * Starts an edge with a platform without clients, deployed as the stack `whole` with {@link platformSettings}. It is deployed once per worker
 * and version; each call starts from a copy.
 */
export async function openPlatform(settings: EdgeSettings = {}): Promise<OpenEdge> {
  snapshot ??= keptSnapshot(deploySnapshot);
  const kept = await snapshot;
  return inTemporaryDirectory(async (directory) => {
    await copySnapshot(kept, directory);
    const started = await start(directory, settings, kept.port);
    if (started.edge.databaseUrl === kept.databaseUrl) return started;
    await started.stop();
    throw new Error(`The port of the snapshot's database is taken: ${kept.databaseUrl}`);
  });
}

let snapshot: Promise<Snapshot> | undefined;

async function deploySnapshot(): Promise<Snapshot> {
  const directory = await snapshotDirectory();
  const port = await reservedPort();
  await copyEmptyCluster(join(directory, "postgres"), await reservedPort());
  const { edge, stop } = await start(directory, {}, port);
  try {
    await (await stackOf(edge, platformSettings([]))).up();
    return { directory, port, databaseUrl: edge.databaseUrl };
  } finally {
    await stop();
  }
}

async function inTemporaryDirectory(
  open: (directory: string) => Promise<{ edge: Edge; stop: () => Promise<void> }>,
): Promise<OpenEdge> {
  const directory = await mkdtemp(join(tmpdir(), "tenantry-"));
  const remove = async () => {
    await removeDatabase(join(directory, "postgres"));
    await rm(directory, { recursive: true, force: true });
  };
  try {
    const { edge, stop } = await open(directory);
    const close = async () => {
      await stop();
      await remove();
    };
    return { edge, close };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function start(
  directory: string,
  { gatewayCommand, images = {}, weather, withoutProducts = [], internet = {}, containers }: EdgeSettings,
  port = 0,
): Promise<{ edge: Edge; stop: () => Promise<void> }> {
  await setImages({ directory }, images);
  const edge = await startEdge({
    directory,
    port,
    engineHost: sharedHost(),
    pushed: [GATEWAY_IMAGE],
    withoutProducts,
    internet,
    ...(gatewayCommand && { gatewayCommand }),
    ...(weather && { weather }),
    ...(containers && { containers }),
  });
  const stopProviders = await serveProviders(edge);
  const stop = async () => {
    await stopProviders();
    await edge.stop();
  };
  return { edge, stop };
}

/** Serves the providers of engine runs against `edge`. @param apiUrl of the Cloudflare API. Default: the edge's @returns stops them */
export async function serveProviders(edge: Edge, apiUrl = edge.apiUrl): Promise<() => Promise<void>> {
  const providers = await startProvidersFor({ apiToken: edge.apiToken, apiUrl });
  providersPorts.set(edge, providers.port);
  return () => providers.stop();
}

/** Sets the images of later containers; others have the edge's own gateway. */
export const setImages = ({ directory }: Pick<Edge, "directory">, images: Images): Promise<void> =>
  writeFile(join(directory, IMAGES_FILE), JSON.stringify(images));

/** An empty edge until the end of the test. */
export async function temporaryEdge(): Promise<Edge> {
  const { edge, close } = await openEdge();
  onTestFinished(close);
  return edge;
}

/** Like {@link openPlatform}, until the end of the test. */
export async function temporaryPlatform(): Promise<Edge> {
  const { edge, close } = await openPlatform();
  onTestFinished(close);
  return edge;
}

interface ClientDeclaration {
  slug: string;
  plan?: string;
  partner?: string;
  aiGateway?: string;
  doors?: object[];
  status?: string;
  name?: string;
}

/** Returns settings of a stack with a platform, a pool of one gateway for two tenants, and clients. */
export function platformSettings(clients: ClientDeclaration[], more: Record<string, unknown> = {}) {
  return {
    "tenantry:environment": "production",
    "tenantry:platform": {
      domain: DOMAIN,
      accountId: ACCOUNT_ID,
      zoneId: ZONE_ID,
      containerImage: GATEWAY_IMAGE,
      rootUsers: ["root@tenantry.example"],
      aiGateways: [{ id: "pool-a", capacity: 2 }],
      protect: false,
    },
    "tenantry:partners": [{ slug: "globex", name: "Globex" }],
    "tenantry:clients": clientSettings(clients),
    ...more,
  };
}

/** Like {@link platformSettings}, with a pool per environment, so that several share an account and a database. */
export function environmentSettings(environment: Environment, clients: ClientDeclaration[]) {
  const settings = platformSettings(clients, { "tenantry:environment": environment });
  const platform = { ...settings["tenantry:platform"], aiGateways: [{ id: `pool-${environment}`, capacity: 2 }] };
  return { ...settings, "tenantry:platform": platform };
}

export function clientSettings(clients: ClientDeclaration[]) {
  return clients.map(
    ({ slug, name = `Client ${slug}`, plan = "basic", partner, aiGateway, doors, status = "active" }) => ({
      slug,
      name,
      plan,
      status,
      ...(partner === undefined ? {} : { partner }),
      ...((aiGateway || doors) && { instances: [{ aiGateway, doors }] }),
    }),
  );
}

/** Writes a stack file; YAML includes JSON. @returns its path */
export async function writeSettings(edge: Edge, name: string, config: Record<string, unknown>): Promise<string> {
  const path = join(edge.directory, `settings-${name}.yaml`);
  await writeFile(path, JSON.stringify({ config }));
  return path;
}

/** Encrypts the test file's stacks by a passphrase, as `npm start` does. */
export function encryptByPassphrase(): void {
  delete process.env.SECRETS_PROVIDER;
}

/** Stacks of each edge by name. */
const stacks = new WeakMap<Edge, Map<string, Stack>>();

/**
 * Returns the stack `name`, and changes its settings if it exists. It does not recover a killed run: see {@link recoveredStack}.
 */
export async function stackOf(edge: Edge, config: Record<string, unknown>, name = "whole"): Promise<Stack> {
  const known = stacks.get(edge) ?? new Map<string, Stack>();
  stacks.set(edge, known);
  const declared = workspaceOptions(await deploymentOf(edge, config, name));
  const workspace = { ...declared, program: () => withoutTraces(declared.program) };
  const made = known.get(name);
  if (made !== undefined) {
    made.workspace.program = workspace.program;
    made.workspace.envVars = workspace.envVars;
    return made;
  }
  const { SECRETS_PROVIDER: secretsProvider } = process.env;
  const stack = await openStack(
    { directory: edge.directory, name },
    { pulumiCommand: await pulumiCommand(), ...(secretsProvider && { secretsProvider }), ...workspace },
  );
  known.set(name, quickStack(stack));
  return stack;
}

/** Deploys a platform's stack. @returns the outputs that its service needs */
export async function deployed(stack: Stack): Promise<Deployment> {
  await stack.up();
  return currentOutputs(stack);
}

/** Opens the stack as `npm start` does: it recovers from a killed run first. */
export async function recoveredStack(edge: Edge, config: Record<string, unknown>, name = "whole"): Promise<Stack> {
  return selectStack(await deploymentOf(edge, config, name));
}

async function deploymentOf(edge: Edge, config: Record<string, unknown>, name: string): Promise<DeploymentOptions> {
  return {
    directory: edge.directory,
    target: edge,
    providersPort: providersPort(edge),
    name,
    settings: await writeSettings(edge, name, config),
  };
}

/** Returns keys of the manifests in a tenant's bucket, one per backup. */
export async function backupsOf(edge: Edge, slug: string): Promise<string[]> {
  const { objects } = await edge.runtime.bucket(`tenantry-backups-${slug}`).list({ prefix: "backups/", limit: 1000 });
  return objects.map(({ key }) => key).filter((key) => key.endsWith("/manifest.json"));
}
