import * as pulumi from "@pulumi/pulumi";
import type { InstanceType } from "#domain/tenants/instance-type.ts";

/** A change of account, name, namespace, script or class replaces the application. */
export interface ContainerApplicationArgs {
  accountId: pulumi.Input<string>;
  /** Unique in the account. */
  name: pulumi.Input<string>;
  dispatchNamespace: pulumi.Input<string>;
  /** Script that declares `className` in its `containers`. */
  scriptName: pulumi.Input<string>;
  className: pulumi.Input<string>;
  /** Container image with its tag or digest. A change starts a rolling rollout. */
  image: pulumi.Input<string>;
  /** Instance type. A change starts a rollout. Default: `lite`. */
  instanceType?: pulumi.Input<InstanceType>;
  /** Maximum of concurrent containers; at least 2, because an old and a new one can overlap. Default: 2. */
  maxInstances?: pulumi.Input<number>;
  /** Orders a backup before a rollout replaces the containers; without the backup the rollout fails. Stored as a secret. Default: no backup. */
  backup?: pulumi.Input<BackupOrderArgs> | undefined;
  /** Whether another stack's application may be taken over. Default: false. */
  takeOver?: pulumi.Input<boolean> | undefined;
}

export interface BackupOrderArgs {
  url: pulumi.Input<string>;
  token: pulumi.Input<string>;
  /** Whether to order a backup before the application is deleted; a failure is a warning. Default: false. */
  beforeDelete?: pulumi.Input<boolean>;
}

/**
 * A container application, identified by the Durable Object namespace of its class. Import id: `{accountId}/{applicationId}`.
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
  declare readonly applicationId: pulumi.Output<string>;
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
        // Secret as a whole, because the provider host returns plain values and the engine marks whole properties only.
        backup: args.backup === undefined ? undefined : pulumi.secret(args.backup),
        applicationId: undefined,
        namespaceId: undefined,
      },
      pulumi.mergeOptions(opts, { additionalSecretOutputs: ["backup"] }),
    );
  }
}
