/**
 * A Miniflare plugin that serves files of a script from the blob store by the vendor's own Workers: the asset Worker, and the router in front
 * of it, which chooses between files and script. Miniflare's option `assets` serves a directory only, derives types from file names and
 * ETags from modification times.
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

export interface ServedAssets {
  script: string;
  manifest: AssetManifest;
  config: AssetConfig;
  /** Folder of the files, each named by its SHA-256. */
  blobs: string;
  compatibilityDate: string;
  compatibilityFlags: string[];
}

const PLUGIN = "edge-assets";
const BLOBS = "edge-assets:blobs";

/** Miniflare declares more parameters than it reads. */
const vendor: { getServices(given: object): unknown } = ASSETS_PLUGIN;

const plugin = { package: fileURLToPath(import.meta.url), name: PLUGIN };

/** Binds a script to its own files. */
export function assetsBinding(name: string, script: string) {
  return { type: "files" as const, name, options: { script }, plugin };
}

/** Binds a Worker to the router of a script, with all services of its files. */
export function routerBinding(name: string, served: ServedAssets) {
  return { type: "router" as const, name, options: served, plugin };
}
export type AssetsNativeBinding = ReturnType<typeof assetsBinding | typeof routerBinding>;

const service = z.looseObject({ name: z.string() });
const worker = z.looseObject({
  name: z.string(),
  worker: z.looseObject({ bindings: z.array(z.looseObject({ name: z.string(), json: z.string().optional() })) }),
});
type Worker = z.infer<typeof worker>;

const filesService = (script: string) => `assets:assets-service:${script}`;
const routerService = (script: string) => `assets:router:${script}`;
const keyedFilesService = (script: string) => `assets:kv:${script}`;

/** Returns the vendor's Workers for a script, as Miniflare configures them for a directory that has only rules. */
async function getVendorServices(served: ServedAssets): Promise<Map<string, Worker>> {
  const { script, config, compatibilityDate, compatibilityFlags } = served;
  const directory = await mkdtemp(join(tmpdir(), "edge-assets-"));
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
    const ignore = () => {};
    const log = { debug: ignore, info: ignore, warn: ignore, error: ignore };
    const options = { options: { assets, compatibilityDate, compatibilityFlags }, log };
    const services = z.array(service).parse(await vendor.getServices(options));
    return new Map(services.filter((entry) => "worker" in entry).map((entry) => [entry.name, worker.parse(entry)]));
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Returns a service with other values of its bindings. @throws Error when the service or a binding is missing */
function rebindService(services: Map<string, Worker>, name: string, values: Readonly<Record<string, object>>): Worker {
  const found = services.get(name);
  const missing = Object.keys(values).find((key) => !found?.worker.bindings.some((binding) => binding.name === key));
  if (found === undefined || missing !== undefined) throw new Error(`Miniflare has no ${name} ${missing ?? ""}`);
  const bindings = found.worker.bindings.map((binding) =>
    Object.hasOwn(values, binding.name) ? { name: binding.name, ...values[binding.name] } : binding,
  );
  return { ...found, worker: { ...found.worker, bindings } };
}

/** Maps content hashes to files, for the key-value Worker of Miniflare. It writes the type into JSON without escaping. */
function storedFiles(manifest: AssetManifest): object {
  const escaped = (type: string | null) => (type === null ? null : JSON.stringify(type).slice(1, -1));
  return Object.fromEntries(
    Object.values(manifest).map(({ hash, sha256, type }) => [
      hash.toLowerCase(),
      { filePath: sha256, contentType: escaped(type) },
    ]),
  );
}

async function createServices(served: ServedAssets) {
  const { script, manifest, blobs } = served;
  const vendors = await getVendorServices(served);
  const config = vendors.get(filesService(script))?.worker.bindings.find(({ name }) => name === "CONFIG")?.json;
  return [
    { name: BLOBS, disk: { path: blobs, writable: false } },
    rebindService(vendors, keyedFilesService(script), {
      [SharedBindings.MAYBE_SERVICE_BLOBS]: { service: { name: BLOBS } },
      ASSETS_REVERSE_MAP: { json: JSON.stringify(storedFiles(manifest)) },
    }),
    rebindService(vendors, filesService(script), {
      ASSETS_MANIFEST: { data: binaryManifest(manifest) },
      // In debug mode the asset Worker adds headers.
      CONFIG: { json: JSON.stringify({ ...z.looseObject({}).parse(JSON.parse(config ?? "{}")), debug: false }) },
    }),
    rebindService(vendors, routerService(script), { USER_WORKER: { service: { name: `core:user:${script}` } } }),
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
      const routers = given.parse(options).filter((binding) => binding.type === "router");
      return (await Promise.all(routers.map(({ options }) => createServices(options)))).flat();
    },
  },
};
