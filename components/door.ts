import * as pulumi from "@pulumi/pulumi";
import * as random from "@pulumi/random";
import { KEY_LENGTH } from "#domain/doors/door-key.ts";
import { generatedNames, type Secrets } from "#domain/doors/door-secrets.ts";
import { doorUrl } from "#domain/doors/door-url.ts";
import type { DoorDeclaration, PlatformContext } from "./platform-context.ts";
import { DeclaredDoor } from "./resources/declared-door.ts";
import type { TenantryProvider } from "./resources/tenantry-provider.ts";

/** 256 bits. */
const SECRET_LENGTH = 43;

export interface DoorArgs extends DoorDeclaration {
  context: PlatformContext;
  slug: string;
  instanceId: pulumi.Input<string>;
  /** Provider with the key for the secrets of doors. */
  provider: TenantryProvider;
  /** Names of all doors of the instance in this stack. */
  declared: readonly string[];
  takeOver?: boolean | undefined;
}

export interface DoorOutputs {
  url: string;
  /** Generated secrets by name. */
  secrets: Secrets;
}

/**
 * A public webhook endpoint of an instance, with a random address and the generated secrets of its kind. They are inputs of the door, so a
 * repeated run creates the same door.
 */
export class Door extends pulumi.ComponentResource {
  /** A secret. */
  readonly outputs: pulumi.Output<DoorOutputs>;

  constructor(args: DoorArgs, opts?: pulumi.ComponentResourceOptions) {
    const { context, slug, name, kind, formerName } = args;
    const base = `${slug}.${name}`;
    super(
      "tenantry:components:Door",
      base,
      {},
      pulumi.mergeOptions(opts, formerName === undefined ? {} : { aliases: [{ name: `${slug}.${formerName}` }] }),
    );
    const child = { parent: this };
    const password = (purpose: string, length: number, version: number) => {
      // Another kind of door has another address and other secrets.
      const keepers = { kind, version: String(version) };
      return new random.RandomPassword(`${base}.${purpose}`, { length, special: false, keepers }, child).result;
    };
    const key = password("key", KEY_LENGTH, args.keyVersion);
    const generated = Object.fromEntries(
      generatedNames(kind, args.secrets).map((secret) => [
        secret,
        password(secret, SECRET_LENGTH, args.secretsVersion),
      ]),
    );
    new DeclaredDoor(
      base,
      {
        ...{ instanceId: args.instanceId, kind, name, key, secrets: { ...args.secrets, ...generated } },
        ...{ state: args.state, overlapSeconds: args.overlapSeconds, declared: args.declared },
        ...{ missing: args.missing, takeOver: args.takeOver },
      },
      { ...child, provider: args.provider },
    );
    const values = pulumi.all([key, pulumi.all(generated), context.outputs]);
    this.outputs = pulumi.secret(
      values.apply(([key, secrets, { domain, dispatchUrl }]) => ({
        url: doorUrl(key, context.environment, domain, dispatchUrl),
        secrets,
      })),
    );
    this.registerOutputs({});
  }
}
