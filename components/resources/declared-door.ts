import * as pulumi from "@pulumi/pulumi";
import type { DoorState } from "#domain/doors/door.ts";

export interface DeclaredDoorArgs {
  /** A change replaces the door. */
  instanceId: pulumi.Input<string>;
  /** Kind of webhooks, such as `github`. A change replaces the door. */
  kind: string;
  /** Unique in the instance. */
  name: string;
  /** Default: active. */
  state?: DoorState;
  /** Secret part of the address: 24 letters and digits. With a change, the former one is accepted for `overlapSeconds`. */
  key: pulumi.Input<string>;
  /** By name, as the kind requires. With a change, the former ones are accepted for `overlapSeconds`. */
  secrets: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /** Default: a day. */
  overlapSeconds?: number | undefined;
  /** Names of all doors that the stack declares for the instance. Others of the stack do not count for the plan's limit. Default: none. */
  declared?: readonly string[];
  /** Whether the row is missing although it was created before; then it is created again with the same address. Default: false. */
  missing?: boolean | undefined;
  /** Whether a door of another stack may be taken over. It gets another address. Default: false. */
  takeOver?: boolean | undefined;
}

/**
 * A public webhook endpoint of an instance. The provider needs `doorsKey`.
 * @example
 * ```ts
 * new DeclaredDoor("acme.deploys", { instanceId, kind: "github", name: "deploys", key, secrets: { secret } }, { provider });
 * ```
 */
export class DeclaredDoor extends pulumi.CustomResource {
  constructor(name: string, args: DeclaredDoorArgs, opts?: pulumi.CustomResourceOptions) {
    super(
      "tenantry:index:Door",
      name,
      { ...args, key: pulumi.secret(args.key), secrets: pulumi.secret(args.secrets) },
      pulumi.mergeOptions(opts, { additionalSecretOutputs: ["key", "secrets"] }),
    );
  }
}
