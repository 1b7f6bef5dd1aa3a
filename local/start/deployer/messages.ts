/** Messages between the edge and the deployment process. They include secrets. */
import * as z from "zod";
import { step } from "#automation/engine/run/steps.ts";
import { engineTarget } from "../../engine-target.ts";

export const deploymentJob = z.object({
  directory: z.string(),
  target: engineTarget,
  name: z.string(),
  settings: z.string(),
  /** Whether to use the vendors' plugins instead of the stand-ins. */
  vendorPlugins: z.boolean(),
});
export type DeploymentJob = z.infer<typeof deploymentJob>;

export const deployedOutputs = z.object({ tenants: z.record(z.string(), z.string()), dashboard: z.string() });
export type DeployedOutputs = z.infer<typeof deployedOutputs>;

/** Secrets are not stored. */
export const deployment = deployedOutputs.extend({
  /** Database URL of the automation service. */
  serviceUrl: z.string(),
  invalidateToken: z.string(),
  /** Authenticates the service's pushes to the dashboard. */
  liveToken: z.string(),
  /** Variables of the service from the platform's settings. */
  serviceVariables: z.record(z.string(), z.string()).optional(),
});
export type Deployment = z.infer<typeof deployment>;

export const order = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("deploy"), job: deploymentJob }),
  z.object({ kind: z.literal("end") }),
]);
export type Order = z.infer<typeof order>;

export const report = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("planned"), total: z.number() }),
  z.object({ kind: z.literal("step"), step }),
  /** `warnings`: demo data that could not be added. */
  z.object({ kind: z.literal("deployed"), outputs: deployment, warnings: z.array(z.string()) }),
  z.object({ kind: z.literal("failed"), message: z.string(), cancelled: z.boolean() }),
]);
export type Report = z.infer<typeof report>;
