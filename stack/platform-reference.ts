import * as pulumi from "@pulumi/pulumi";
import { unknown } from "@pulumi/pulumi/output.js";
import type { PlatformOutputs } from "#components/platform-outputs.ts";
import type { TenantryProviderArgs } from "#components/resources/tenantry-provider.ts";
import type { DispatchAccess } from "#components/workers/dispatch-worker.ts";
import type { Environment } from "#domain/environment.ts";
import { errorLine } from "#domain/errors/catalogue-error.ts";
import { stackOutputErrors } from "#domain/errors/stack/stack-outputs.ts";
import { OutputError, OutputReader } from "./outputs.ts";

export interface PlatformReference {
  stack: string;
  /** Unknown if the platform is not deployed, which only a preview accepts. */
  outputs: pulumi.Output<PlatformOutputs>;
  /** The same values; undefined if the platform is not deployed. */
  known: PlatformOutputs | undefined;
  /** The provisioner's database URL; undefined if the platform is not deployed. A secret. */
  databaseUrl: string | undefined;
  dispatch: DispatchAccess | undefined;
  providerKeys: pulumi.Output<string> | undefined;
  /** Returns the passwords from which the key of doors' secrets is derived. Secrets. @throws OutputError for a platform without doors */
  doorsKeys(): Pick<TenantryProviderArgs, "doorsKey" | "otherDoorsKey">;
  refer(): void;
}

/**
 * @param stack `stack`, `project/stack` or `organization/project/stack`
 * @throws RunError if the platform has another environment, its secrets cannot be read or, except in a preview, it is not deployed
 */
export async function readPlatform(stack: string, environment: Environment): Promise<PlatformReference> {
  const reader = await OutputReader.read(stack).catch((error: unknown) => {
    if (error instanceof OutputError && error.fault === "no-stack") return undefined;
    throw error;
  });
  if (reader === undefined || !reader.has("platform")) return notDeployed(stack, reader);
  const known = reader.open("platform");
  if (known.environment !== environment) {
    const values = { stack: reader.stack, found: known.environment, environment };
    throw new pulumi.RunError(errorLine(stackOutputErrors.platform_of_other_environment, values));
  }
  return {
    stack: reader.stack,
    outputs: pulumi.output(known),
    known,
    databaseUrl: reader.secret("databaseUrl"),
    dispatch: { url: known.dispatchUrl, token: pulumi.secret(reader.secret("invalidateToken")) },
    providerKeys: reader.has("providerKeys") ? pulumi.secret(reader.secret("providerKeys")) : undefined,
    doorsKeys: () => ({
      doorsKey: reader.secret("doorsKey"),
      ...(reader.has("otherDoorsKey") && { otherDoorsKey: reader.secret("otherDoorsKey") }),
    }),
    refer: () => reader.refer(),
  };
}

function notDeployed(given: string, reader: OutputReader | undefined): PlatformReference {
  const name = reader?.stack ?? given;
  if (!pulumi.runtime.isDryRun())
    throw new pulumi.RunError(errorLine(stackOutputErrors.platform_not_deployed, { stack: name }));
  pulumi.log.warn(`the stack ${name} is not deployed yet, so this preview cannot read its platform`);
  return {
    stack: name,
    outputs: pulumi.output(unknown) as unknown as pulumi.Output<PlatformOutputs>,
    known: undefined,
    databaseUrl: undefined,
    dispatch: undefined,
    providerKeys: undefined,
    doorsKeys: () => ({}),
    refer: () => reader?.refer(),
  };
}
