/** The platform of a stack of tenants: the outputs of the stack that holds it. */
import * as pulumi from "@pulumi/pulumi";
import { unknown } from "@pulumi/pulumi/output.js";
import { type PlatformOutputs, platformOutputs } from "../components/platform-outputs.ts";
import type { DispatchAccess } from "../components/workers/dispatch-worker.ts";
import type { Environment } from "../domain/environment.ts";

export interface PlatformReference {
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
}

/**
 * Reads the outputs of the platform's stack.
 *
 * @param stack `stack`, `project/stack` or `organization/project/stack`
 * @throws RunError when the platform is not deployed (unless this is a preview), is of another environment, or its secrets
 *   cannot be read
 */
export async function referPlatform(stack: string, environment: Environment): Promise<PlatformReference> {
  const name = qualified(stack);
  if (pulumi.runtime.isDryRun() && !(await exists(name))) return notDeployed(name);
  const reference = new pulumi.StackReference(name);
  const [platform, database, token, providerKeys] = await Promise.all([
    reference.getOutputDetails("platform"),
    reference.getOutputDetails("databaseUrl"),
    reference.getOutputDetails("invalidateToken"),
    reference.getOutputDetails("providerKeys"),
  ]);
  if (platform.value === undefined) return notDeployed(name);
  const parsed = platformOutputs.safeParse(platform.value);
  if (!parsed.success) {
    throw new pulumi.RunError(`the stack ${name} was deployed by another version; run pulumi up there first`);
  }
  if (parsed.data.environment !== environment) {
    throw new pulumi.RunError(
      `the stack ${name} is ${parsed.data.environment}, this one ${environment}; set tenantry:environment to match`,
    );
  }
  if (typeof database.secretValue !== "string" || typeof token.secretValue !== "string") {
    throw new pulumi.RunError(
      `the secrets of the stack ${name} cannot be read; give both stacks the same secrets provider and passphrase`,
    );
  }
  return {
    outputs: pulumi.output(parsed.data),
    known: parsed.data,
    databaseUrl: database.secretValue,
    dispatch: { url: parsed.data.dispatchUrl, token: pulumi.secret(token.secretValue) },
    providerKeys: typeof providerKeys.secretValue === "string" ? pulumi.secret(providerKeys.secretValue) : undefined,
  };
}

/** A name without a project is this project's. */
function qualified(stack: string): string {
  return stack.includes("/") ? stack : `organization/${pulumi.getProject()}/${stack}`;
}

/** Whether there is such a stack; a reference to one that is not there would end the whole run. */
async function exists(name: string): Promise<boolean> {
  return pulumi.runtime.invoke("pulumi:pulumi:readStackOutputs", { name }).then(
    () => true,
    () => false,
  );
}

function notDeployed(name: string): PlatformReference {
  if (!pulumi.runtime.isDryRun())
    throw new pulumi.RunError(`the stack ${name} holds no deployed platform; run pulumi up there first`);
  pulumi.log.warn(`the stack ${name} is not deployed yet, so this preview knows nothing of its platform`);
  return {
    outputs: pulumi.output(unknown) as unknown as pulumi.Output<PlatformOutputs>,
    known: undefined,
    databaseUrl: undefined,
    dispatch: undefined,
    providerKeys: undefined,
  };
}
