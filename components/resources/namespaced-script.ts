import { resolve } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { contentHash } from "@tenantry/cloudflare-client/content";
import type { ScriptBinding } from "./script-binding.ts";

/** A Worker in a dispatch namespace (Workers for Platforms). */
export interface NamespacedScriptArgs {
  /** Cloudflare account. Another one replaces the script. */
  accountId: pulumi.Input<string>;
  /** Dispatch namespace. Another one replaces the script. */
  namespace: pulumi.Input<string>;
  /** Name of the script. Another one replaces it. */
  scriptName: pulumi.Input<string>;
  /** Module whose default export answers requests. Default: `index.js`. */
  mainModule?: pulumi.Input<string>;
  /** Bundle: a folder of modules, or one file, which is then the main module. Counts from the working directory. */
  path: pulumi.Input<string>;
  /** Hash of the bundle; the provider uploads nothing else than these bytes. Default: computed from `path`. */
  contentHash?: pulumi.Input<string>;
  /** Date of the Workers runtime's behaviour, such as `2026-11-01`. */
  compatibilityDate: pulumi.Input<string>;
  /** Default: none. */
  compatibilityFlags?: pulumi.Input<string[]>;
  /** By the names that the script has them under. Default: none. */
  bindings?: Readonly<Record<string, ScriptBinding>>;
  /** Values of secrets by the names of their bindings. Kept secret as a whole. Default: none. */
  secrets?: Readonly<Record<string, pulumi.Input<string>>>;
  /** Durable Object classes the script brings; applied once, under `newTag`. Default: none. */
  migrations?: pulumi.Input<{ newTag: pulumi.Input<string>; newSqliteClasses: pulumi.Input<string[]> }>;
  /** Durable Object classes that have containers. Default: none. */
  containers?: pulumi.Input<pulumi.Input<{ className: pulumi.Input<string> }>[]>;
  /** Tags, such as `plan:pro`. Default: none. */
  tags?: pulumi.Input<pulumi.Input<string>[]>;
  /** CPU time in milliseconds and subrequests of one request. Default: those of the account. */
  limits?: pulumi.Input<{ cpuMs?: pulumi.Input<number>; subrequests?: pulumi.Input<number> }>;
  /** Whether another stack's may be taken over. Default: false. */
  takeOver?: pulumi.Input<boolean> | undefined;
}

/**
 * A script in a dispatch namespace. One that is there is adopted, unless it is another stack's, which a tag
 * `stack:{project}/{stack}` says. Only other content, Durable Object migrations or classes with containers are uploaded; bindings,
 * secrets, tags, limits and compatibility change by the script's settings. Import id: `{accountId}/{namespace}/{scriptName}`.
 *
 * @example
 * ```ts
 * const script = new NamespacedScript("acme", {
 *   accountId, namespace: "tenants", scriptName: "tenant-acme", path: "dist/tenant", compatibilityDate: "2026-11-01",
 *   bindings: { Sandbox: { type: "durable_object_namespace", className: "Sandbox" } },
 *   secrets: { GATEWAY_TOKEN: token.result },
 *   migrations: { newTag: "v1", newSqliteClasses: ["Sandbox"] },
 *   containers: [{ className: "Sandbox" }],
 *   tags: ["plan:pro"],
 *   limits: { cpuMs: 50_000, subrequests: 100 },
 * }, { provider: tenantry });
 * ```
 */
export class NamespacedScript extends pulumi.CustomResource {
  declare readonly accountId: pulumi.Output<string>;
  declare readonly namespace: pulumi.Output<string>;
  declare readonly scriptName: pulumi.Output<string>;
  declare readonly contentHash: pulumi.Output<string>;
  declare readonly tags: pulumi.Output<string[]>;
  /** Cloudflare's hash of what is live. */
  declare readonly etag: pulumi.Output<string>;

  constructor(name: string, args: NamespacedScriptArgs, opts?: pulumi.CustomResourceOptions) {
    const path = pulumi.output(args.path).apply((bundle) => resolve(bundle));
    super(
      "tenantry:index:NamespacedScript",
      name,
      {
        accountId: args.accountId,
        namespace: args.namespace,
        scriptName: args.scriptName,
        mainModule: args.mainModule ?? "index.js",
        path,
        contentHash: args.contentHash ?? path.apply(contentHash),
        compatibilityDate: args.compatibilityDate,
        compatibilityFlags: args.compatibilityFlags ?? [],
        bindings: args.bindings ?? {},
        secrets: pulumi.secret(args.secrets ?? {}),
        migrations: args.migrations,
        containers: args.containers ?? [],
        tags: args.tags ?? [],
        limits: args.limits ?? {},
        takeOver: args.takeOver ?? false,
        etag: undefined,
      },
      opts,
    );
  }
}
