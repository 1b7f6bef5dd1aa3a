import * as pulumi from "@pulumi/pulumi";
import type { InstanceType } from "#domain/tenants/instance-type.ts";

/** The containers behind one Durable Object class of a namespaced script. */
export interface ContainerApplicationArgs {
  /** Cloudflare account. Another one replaces the application. */
  accountId: pulumi.Input<string>;
  /** Name of the application, unique in the account. Another one replaces it. */
  name: pulumi.Input<string>;
  /** Dispatch namespace of the script. Another one replaces the application. */
  dispatchNamespace: pulumi.Input<string>;
  /** Script that declares `className` in its `containers`. Another one replaces the application. */
  scriptName: pulumi.Input<string>;
  /** Durable Object class the containers belong to. Another one replaces the application. */
  className: pulumi.Input<string>;
  /** Container image, with its tag or digest. A change goes out as a rolling rollout. */
  image: pulumi.Input<string>;
  /** Instance type (`domain/tenants/instance-type.ts`). A change goes out as a rollout. Default: `lite`. */
  instanceType?: pulumi.Input<InstanceType>;
  /** Most containers at once; at least 2, since an old and a new one may overlap. Default: 2. */
  maxInstances?: pulumi.Input<number>;
  /**
   * Where a backup is ordered before a rollout replaces the containers; a rollout without one fails. A change of it alone changes
   * nothing. Held as a secret. Default: rollouts and deletes go without a backup.
   */
  backup?: pulumi.Input<BackupOrderArgs> | undefined;
  /** Whether another stack's may be taken over. Default: false. */
  takeOver?: pulumi.Input<boolean> | undefined;
}

export interface BackupOrderArgs {
  /** Where it is `POST`ed. */
  url: pulumi.Input<string>;
  /** Bearer token. */
  token: pulumi.Input<string>;
  /** Whether one is made before the application is deleted too; if that fails, it is deleted with a warning. Default: false. */
  beforeDelete?: pulumi.Input<boolean>;
}

/**
 * A container application, found by the Durable Object namespace of its class. Import id: `{accountId}/{applicationId}`.
 *
 * @example
 * ```ts
 * const containers = new ContainerApplication("acme", {
 *   accountId, name: "tenant-acme", dispatchNamespace: "tenants", scriptName: script.scriptName,
 *   className: "Sandbox", image: "registry.cloudflare.com/account/gateway:1.4.0", instanceType: "standard-1",
 * }, { provider: tenantry });
 * ```
 */
export class ContainerApplication extends pulumi.CustomResource {
  declare readonly name: pulumi.Output<string>;
  declare readonly image: pulumi.Output<string>;
  declare readonly instanceType: pulumi.Output<string>;
  declare readonly maxInstances: pulumi.Output<number>;
  /** The application's id at Cloudflare. */
  declare readonly applicationId: pulumi.Output<string>;
  /** Durable Object namespace the containers serve. */
  declare readonly namespaceId: pulumi.Output<string>;

  constructor(name: string, args: ContainerApplicationArgs, opts?: pulumi.CustomResourceOptions) {
    super(
      "tenantry:index:ContainerApplication",
      name,
      {
        ...args,
        instanceType: args.instanceType ?? "lite",
        maxInstances: args.maxInstances ?? 2,
        takeOver: args.takeOver ?? false,
        // As a whole: the provider host's answers come plain, and the engine marks whole properties again.
        backup: args.backup === undefined ? undefined : pulumi.secret(args.backup),
        applicationId: undefined,
        namespaceId: undefined,
      },
      pulumi.mergeOptions(opts, { additionalSecretOutputs: ["backup"] }),
    );
  }
}
