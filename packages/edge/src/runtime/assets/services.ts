/**
 * A Miniflare plugin that serves a script's files from the blob store by the vendor's own Workers: the asset Worker, which matches files, and the
 * router before it, which chooses between files and script. Miniflare's `assets` option knows files of a directory alone, takes their types
 * from their names and their ETags from the time of their last change.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import type { AssetConfig, AssetManifest } from "../../cloudflare/kinds/assets/record.ts";
import { routingRules } from "../../cloudflare/kinds/assets/routing-rules.ts";
import { ASSETS_PLUGIN, SharedBindings } from "../workerd/miniflare.ts";
import { binaryManifest } from "./binary-manifest.ts";

/** Files of a script, and what they are served by. */
export interface ServedAssets {
  /** Name of the script's Worker. */
  script: string;
  manifest: AssetManifest;
  config: AssetConfig;
  /** Where the files lie, each under its SHA-256. */
  blobs: string;
  compatibilityDate: string;
  compatibilityFlags: string[];
}

const PLUGIN = "tenantry-assets";
const BLOBS = "tenantry-assets:blobs";

/** Miniflare declares more than it reads of what it is given. */
const vendor: { getServices(given: object): unknown } = ASSETS_PLUGIN;

const plugin = { package: fileURLToPath(import.meta.url), name: PLUGIN };

/** The binding by which a script asks for its own files. */
export function assetsBinding(name: string, script: string) {
  return { type: "files" as const, name, options: { script }, plugin };
}

/** The binding by which requests come to the router; it brings all that serves the files. */
export function routerBinding(name: string, served: ServedAssets) {
  return { type: "router" as const, name, options: served, plugin };
}
export type AssetsNativeBinding = ReturnType<typeof assetsBinding | typeof routerBinding>;

const service = z.looseObject({ name: z.string() });
/** Miniflare's services for the files of a directory. */
const worker = z.looseObject({
  name: z.string(),
  worker: z.looseObject({ bindings: z.array(z.looseObject({ name: z.string(), json: z.string().optional() })) }),
});
type Worker = z.infer<typeof worker>;

const filesService = (script: string) => `assets:assets-service:${script}`;
const routerService = (script: string) => `assets:router:${script}`;
const keyedFilesService = (script: string) => `assets:kv:${script}`;

/** The vendor's Workers for a script, as Miniflare sets them up for a directory of rules alone. */
async function vendorServices(served: ServedAssets): Promise<Map<string, Worker>> {
  const { script, config, compatibilityDate, compatibilityFlags } = served;
  const directory = await mkdtemp(join(tmpdir(), "tenantry-assets-"));
  try {
    if (config._headers !== undefined) await writeFile(join(directory, "_headers"), config._headers);
    if (config._redirects !== undefined) await writeFile(join(directory, "_redirects"), config._redirects);
    const { html_handling, not_found_handling, run_worker_first } = config;
    const assets = {
      workerName: script,
      directory,
      routerConfig: {
        has_user_worker: true,
        ...(Array.isArray(run_worker_first)
          ? { static_routing: routingRules(run_worker_first) }
          : { invoke_user_worker_ahead_of_assets: run_worker_first === true }),
      },
      assetConfig: { ...(html_handling && { html_handling }), ...(not_found_handling && { not_found_handling }) },
    };
    const log = { debug: ignore, info: ignore, warn: ignore, error: ignore };
    const options = { options: { assets, compatibilityDate, compatibilityFlags }, log };
    const services = z.array(service).parse(await vendor.getServices(options));
    return new Map(services.filter((one) => "worker" in one).map((one) => [one.name, worker.parse(one)]));
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

function ignore(): void {}

/** The service with other values of the bindings named. @throws Error when it is not there, or has no such binding */
function rebound(services: Map<string, Worker>, name: string, values: Readonly<Record<string, object>>): Worker {
  const found = services.get(name);
  const missing = Object.keys(values).find((key) => !found?.worker.bindings.some((one) => one.name === key));
  if (found === undefined || missing !== undefined) throw new Error(`Miniflare has no ${name} ${missing ?? ""}`);
  const bindings = found.worker.bindings.map((one) =>
    Object.hasOwn(values, one.name) ? { name: one.name, ...values[one.name] } : one,
  );
  return { ...found, worker: { ...found.worker, bindings } };
}

/** What the key-value Worker of Miniflare answers for a content hash. It writes the type into JSON as it is. */
function storedFiles(manifest: AssetManifest): object {
  const escaped = (type: string | null) => (type === null ? null : JSON.stringify(type).slice(1, -1));
  return Object.fromEntries(
    Object.values(manifest).map(({ hash, sha256, type }) => [
      hash.toLowerCase(),
      { filePath: sha256, contentType: escaped(type) },
    ]),
  );
}

async function servicesOf(served: ServedAssets) {
  const { script, manifest, blobs } = served;
  const vendors = await vendorServices(served);
  const config = vendors.get(filesService(script))?.worker.bindings.find(({ name }) => name === "CONFIG")?.json;
  return [
    { name: BLOBS, disk: { path: blobs, writable: false } },
    rebound(vendors, keyedFilesService(script), {
      [SharedBindings.MAYBE_SERVICE_BLOBS]: { service: { name: BLOBS } },
      ASSETS_REVERSE_MAP: { json: JSON.stringify(storedFiles(manifest)) },
    }),
    rebound(vendors, filesService(script), {
      ASSETS_MANIFEST: { data: binaryManifest(manifest) },
      // In its debug mode the asset Worker adds headers of its own.
      CONFIG: { json: JSON.stringify({ ...z.looseObject({}).parse(JSON.parse(config ?? "{}")), debug: false }) },
    }),
    rebound(vendors, routerService(script), { USER_WORKER: { service: { name: `core:user:${script}` } } }),
  ];
}

const given = z.array(z.custom<AssetsNativeBinding>()).default([]);

/** Read by Miniflare. */
export const plugins = {
  [PLUGIN]: {
    options: z.unknown(),
    getBindings: (options: unknown) =>
      given.parse(options).map(({ type, name, options: { script } }) => ({
        name,
        service: { name: type === "files" ? filesService(script) : routerService(script) },
      })),
    getNodeBindings: () => ({}),
    getServices: async ({ options }: { options: unknown }) => {
      const routers = given.parse(options).filter((one) => one.type === "router");
      return (await Promise.all(routers.map((one) => servicesOf(one.options)))).flat();
    },
  },
};
