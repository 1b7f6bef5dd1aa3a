import { createHash } from "node:crypto";
import type { Store } from "../../account/store.ts";
import { writeManifest } from "../../cloudflare/kinds/assets/manifest.ts";
import type { AssetConfig } from "../../cloudflare/kinds/assets/record.ts";
import type { ScriptBinding, ScriptRecord } from "../../cloudflare/kinds/scripts/record.ts";

export interface TestScript {
  name: string;
  /** Dispatch namespace. Default: a script of the account */
  namespace?: string;
  /** ES module source of the main module. */
  source: string;
  bindings?: ScriptBinding[];
  /** SQLite Durable Object classes. */
  classes?: string[];
  containers?: string[];
  /** Compatibility flags. */
  flags?: string[];
  limits?: ScriptRecord["limits"];
  /** Files by path. Default: none */
  files?: Readonly<Record<string, { text: string; type: string | null }>>;
  assetConfig?: AssetConfig;
}

const STAMP = "2026-11-01T00:00:00Z";

/** Stores a script or a new version of it, as the API does. */
export function putScript(store: Store, script: TestScript): ScriptRecord {
  const sha256 = store.writeBlob(Buffer.from(script.source));
  const record: ScriptRecord = {
    id: script.namespace === undefined ? script.name : `${script.namespace}/${script.name}`,
    name: script.name,
    ...(script.namespace === undefined ? {} : { namespace: script.namespace }),
    main_module: "index.js",
    modules: [{ name: "index.js", type: "application/javascript+module", sha256 }],
    bindings: script.bindings ?? [],
    compatibility_date: "2026-07-01",
    compatibility_flags: script.flags ?? [],
    durable_objects: (script.classes ?? []).map((class_name) => ({
      class_name,
      sqlite: true,
      namespace_id: createHash("md5").update(`${script.name}:${class_name}`).digest("hex"),
    })),
    containers: (script.containers ?? []).map((class_name) => ({ class_name })),
    tags: [],
    limits: script.limits ?? {},
    ...(script.files && { assets: { manifest: putFiles(store, script.files), config: script.assetConfig ?? {} } }),
    etag: sha256,
    created_on: STAMP,
    modified_on: STAMP,
  };
  store.put("script", record);
  return record;
}

function putFiles(store: Store, files: NonNullable<TestScript["files"]>): string {
  const stored = Object.entries(files).map(([path, { text, type }]) => {
    const sha256 = store.writeBlob(Buffer.from(text));
    return [path, { hash: sha256.slice(0, 32), sha256, type }] as const;
  });
  return writeManifest(store, Object.fromEntries(stored));
}

export function putRoute(store: Store, pattern: string, script: string): void {
  store.put("route", { id: `route ${pattern}`, zone_id: "zone", pattern, script });
}

/** A dispatching Worker: `{script}.tenantry.test` is the script of that name in namespace `tenants`. */
export const dispatchScript: TestScript = {
  name: "dispatch",
  bindings: [{ type: "dispatch_namespace", name: "DISPATCHER", namespace: "tenants" }],
  source: `
    export default {
      async fetch(request, env) {
        const name = new URL(request.url).hostname.split(".")[0];
        const cpuMs = Number(request.headers.get("limit-cpu") ?? 10000);
        const subRequests = Number(request.headers.get("limit-subrequests") ?? 50);
        try {
          return await env.DISPATCHER.get(name, {}, { limits: { cpuMs, subRequests } }).fetch(request);
        } catch (error) {
          return new Response("dispatch: " + error.message, { status: error.message === "Worker not found." ? 404 : 500 });
        }
      },
    };
  `,
};
