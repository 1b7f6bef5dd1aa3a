import { resolve } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { contentHash } from "@tenantry/cloudflare-client/content";
import type { ScriptBinding } from "./script-binding.ts";

/** A change of account, namespace or name replaces the script. */
export interface NamespacedScriptArgs {
  accountId: pulumi.Input<string>;
  namespace: pulumi.Input<string>;
  scriptName: pulumi.Input<string>;
  /** Module whose default export handles requests. Default: `index.js`. */
  mainModule?: pulumi.Input<string>;
  /** Bundle: a folder of modules, or the file of the main module. Relative to the working directory. */
  path: pulumi.Input<string>;
  /** Hash of the bundle; the provider uploads only matching bytes. Default: computed from `path`. */
  contentHash?: pulumi.Input<string>;
  /** Compatibility date of the Workers runtime, such as `2026-11-01`. */
  compatibilityDate: pulumi.Input<string>;
  /** Default: none. */
  compatibilityFlags?: pulumi.Input<string[]>;
  /** Bindings by name. Default: none. */
  bindings?: Readonly<Record<string, ScriptBinding>>;
  /** Secrets by the names of their bindings. Stored as one secret. Default: none. */
  secrets?: Readonly<Record<string, pulumi.Input<string>>>;
  /** Durable Object classes of the script; applied once, with the tag `newTag`. Default: none. */
  migrations?: pulumi.Input<{ newTag: pulumi.Input<string>; newSqliteClasses: pulumi.Input<string[]> }>;
  /** Durable Object classes that have containers. Default: none. */
  containers?: pulumi.Input<pulumi.Input<{ className: pulumi.Input<string> }>[]>;
  /** Tags, such as `plan:pro`. Default: none. */
  tags?: pulumi.Input<pulumi.Input<string>[]>;
  /** CPU time in milliseconds and subrequests of one request. Default: those of the account. */
  limits?: pulumi.Input<{ cpuMs?: pulumi.Input<number>; subrequests?: pulumi.Input<number> }>;
  /** Whether another stack's script may be taken over. Default: false. */
  takeOver?: pulumi.Input<boolean> | undefined;
}

/**
 * A script in a dispatch namespace. An existing script is adopted, unless its tag `stack:{project}/{stack}` names another stack.
 * An upload happens only for changed content, Durable Object migrations or container classes; other arguments are changed through
 * the script's settings. Import id: `{accountId}/{namespace}/{scriptName}`.
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
  /** Cloudflare's hash of the live script. */
  declare readonly etag: pulumi.Output<string>;

  constructor(name: string, args: NamespacedScriptArgs, opts?: pulumi.CustomResourceOptions) {
    const path = pulumi.output(args.path).apply((bundle) => resolve(bundle));
    super(
      "tenantry:index:NamespacedScript",
      name,
      {
        ...args,
        path,
        mainModule: args.mainModule ?? "index.js",
        contentHash: args.contentHash ?? path.apply(contentHash),
        compatibilityFlags: args.compatibilityFlags ?? [],
        bindings: args.bindings ?? {},
        secrets: pulumi.secret(args.secrets ?? {}),
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
