/** A platform that a stack of tenants may have: the outputs of the stack that holds it. */
import * as pulumi from "@pulumi/pulumi";
import { unknown } from "@pulumi/pulumi/output.js";
import type { PlatformOutputs } from "#components/platform-outputs.ts";
import type { DispatchAccess } from "#components/workers/dispatch-worker.ts";
import type { Environment } from "#domain/environment.ts";
import { OutputError, OutputReader } from "./outputs.ts";

export interface PlatformReference {
  /** The stack that holds it, with its project. */
  stack: string;
  /** Unknown while the platform is not deployed, which only a preview may find. */
  outputs: pulumi.Output<PlatformOutputs>;
  /** The same as they are; `undefined` while the platform is not deployed. */
  known: PlatformOutputs | undefined;
  /** The provisioner's database URL; `undefined` while the platform is not deployed. A secret. */
  databaseUrl: string | undefined;
  /** `undefined` while the platform is not deployed. */
  dispatch: DispatchAccess | undefined;
  /** Keys of the AI gateways' providers, as a JSON object; `undefined` where the platform's stack has none. A secret. */
  providerKeys: pulumi.Output<string> | undefined;
  /** Has this stack's state tell that this is its platform. */
  refer(): void;
}

/**
 * Reads the outputs of a platform's stack.
 *
 * @param stack `stack`, `project/stack` or `organization/project/stack`
 * @throws RunError when the platform is not deployed (unless this is a preview), is of another environment, or its secrets
 *   cannot be read
 */
export async function lookAtPlatform(stack: string, environment: Environment): Promise<PlatformReference> {
  const reader = await OutputReader.read(stack).catch((error: unknown) => {
    if (error instanceof OutputError && error.fault === "no-stack") return undefined;
    throw error;
  });
  if (reader === undefined || !reader.has("platform")) return notDeployed(stack, reader);
  const known = reader.open("platform");
  if (known.environment !== environment) {
    throw new pulumi.RunError(
      `the stack ${reader.stack} is ${known.environment}, this one ${environment}; set tenantry:environment to match`,
    );
  }
  return {
    stack: reader.stack,
    outputs: pulumi.output(known),
    known,
    databaseUrl: reader.secret("databaseUrl"),
    dispatch: { url: known.dispatchUrl, token: pulumi.secret(reader.secret("invalidateToken")) },
    providerKeys: reader.has("providerKeys") ? pulumi.secret(reader.secret("providerKeys")) : undefined,
    refer: () => reader.refer(),
  };
}

function notDeployed(given: string, reader: OutputReader | undefined): PlatformReference {
  const name = reader?.stack ?? given;
  if (!pulumi.runtime.isDryRun())
    throw new pulumi.RunError(
      `the stack ${name} holds no deployed platform; run pulumi up there first, or correct tenantry:platformStack`,
    );
  pulumi.log.warn(`the stack ${name} is not deployed yet, so this preview knows nothing of its platform`);
  return {
    stack: name,
    outputs: pulumi.output(unknown) as unknown as pulumi.Output<PlatformOutputs>,
    known: undefined,
    databaseUrl: undefined,
    dispatch: undefined,
    providerKeys: undefined,
    refer: () => reader?.refer(),
  };
}
