/** A deployed platform, as its stack's outputs describe it. */
import * as z from "zod";
import { nameOf } from "#automation/engine/run/resource-names.ts";
import { secretOutput } from "#automation/engine/state/backend.ts";
import { exportState, qualifiedStack } from "#automation/engine/state/scratch-backend.ts";
import { environments } from "#domain/environment.ts";
import { CatalogueError } from "#domain/errors/catalogue-error.ts";
import { verifyErrors } from "#domain/errors/commands/fleet-verify.ts";
import { dispatchHostname, tenantHostname } from "#domain/names/hostnames.ts";
import { type Plan, plans } from "#domain/plans/plan.ts";
import { tenantPlatformShape } from "#domain/settings/platform.ts";
import { instanceSize } from "#domain/tenants/instance-type.ts";
import { tenantStackName } from "#domain/tenants/tenant-stack.ts";
import { stackFacts } from "../doctor/stacks/stack-facts.ts";
import type { FleetOptions } from "../options.ts";

const outputs = z.object({
  environment: z.enum(environments),
  domain: z.string(),
  accountId: z.string(),
  dispatchUrl: z.string(),
  containers: tenantPlatformShape.containers,
  gatewayMemoryMiB: tenantPlatformShape.gatewayMemoryMiB,
});
const stackResource = z.object({ outputs: z.object({ platform: outputs }) });

export interface RunningPlatform extends z.infer<typeof outputs> {
  /** With organization and project. */
  stack: string;
  invalidateToken: string;
  /** E-mail address of a root user, whom every tenant admits; undefined if the state has none. */
  rootUser: string | undefined;
}

/** @throws CatalogueError if the stack has no platform, CommandRefused if its secrets cannot be read */
export async function readPlatform(
  stack: string,
  { variables, signal }: Pick<FleetOptions, "variables" | "signal">,
): Promise<RunningPlatform> {
  const state = await exportState(stack, variables, signal);
  const resources = state?.deployment.resources ?? [];
  const found = stackResource.safeParse(resources.find(({ type }) => type === "pulumi:pulumi:Stack"));
  if (!found.success) throw new CatalogueError(verifyErrors.verify_stack_not_platform, { stack });
  const roots = resources.filter(
    ({ type, urn }) => type.endsWith(":DatabaseRecord") && nameOf(urn).startsWith("root-"),
  );
  return {
    ...found.data.outputs.platform,
    stack: qualifiedStack(stack),
    invalidateToken: await secretOutput(stack, "invalidateToken", variables),
    rootUser: roots[0] && nameOf(roots[0].urn).slice("root-".length),
  };
}

/** Returns the URL of a tenant, with scheme and port of the dispatch Worker's where both are hosts of the domain. */
export function tenantUrl(slug: string, { dispatchUrl, environment, domain }: RunningPlatform): string {
  const host = tenantHostname(slug, environment, domain);
  const url = new URL(dispatchUrl);
  if (url.hostname !== dispatchHostname(environment, domain)) return `https://${host}`;
  url.hostname = host;
  return url.origin;
}

/** Returns the smallest plan whose container has the memory that the image needs. */
export const canaryPlan = ({ containers, gatewayMemoryMiB }: RunningPlatform): Plan =>
  plans.find((plan) => instanceSize(containers[plan]).memoryMiB >= gatewayMemoryMiB) ?? "enterprise";

/** Returns the AI gateway that a tenant binds; undefined if neither its stack nor the platform's has it. */
export async function aiGatewayOf(
  slug: string,
  { stack, environment }: RunningPlatform,
  { variables, signal }: Pick<FleetOptions, "variables" | "signal">,
): Promise<string | undefined> {
  for (const name of [tenantStackName(slug, environment), stack]) {
    const state = await exportState(name, variables, signal);
    const gateway = state && stackFacts(name, undefined, state).deployed.get(slug)?.gatewayId;
    if (gateway !== undefined) return gateway;
  }
  return undefined;
}
