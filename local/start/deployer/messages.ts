/** What the edge and the deployer's process say to each other. Secrets are among it: they pass this way and no other. */
import * as z from "zod";
import { step } from "#automation/engine/run/steps.ts";
import { engineTarget } from "../../engine-target.ts";

/** What is to be deployed. */
export const deploymentJob = z.object({
  /** State directory of the edge. */
  directory: z.string(),
  target: engineTarget,
  /** Name of the stack. */
  name: z.string(),
  /** File of its settings. */
  settings: z.string(),
  /** Whether the engine uses the vendors' downloaded plugins instead of the stand-ins. */
  vendorPlugins: z.boolean(),
});
export type DeploymentJob = z.infer<typeof deploymentJob>;

/** What `npm start` shows of the stack's outputs, and remembers. */
export const deployedOutputs = z.object({ tenants: z.record(z.string(), z.string()), dashboard: z.string() });
export type DeployedOutputs = z.infer<typeof deployedOutputs>;

/** What it needs besides, of the stack as it is now: secrets, which are kept nowhere. */
export const deployment = deployedOutputs.extend({
  /** Database URL of the automation service. */
  serviceUrl: z.string(),
  invalidateToken: z.string(),
  /** By which the service tells the dashboard that there are news. */
  liveToken: z.string(),
  /** Variables of the automation service that the platform's settings set. */
  serviceVariables: z.record(z.string(), z.string()).optional(),
});
export type Deployment = z.infer<typeof deployment>;

/** From the edge: a job once, first; later that it is to end early. */
export const order = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("deploy"), job: deploymentJob }),
  z.object({ kind: z.literal("end") }),
]);
export type Order = z.infer<typeof order>;

/** From the deployer; one of the last two ends it. */
export const report = z.discriminatedUnion("kind", [
  /** There is something to do: so many resources will change. */
  z.object({ kind: z.literal("planned"), total: z.number() }),
  z.object({ kind: z.literal("step"), step }),
  /** `warnings` tell of demo data that could not be added. */
  z.object({ kind: z.literal("deployed"), outputs: deployment, warnings: z.array(z.string()) }),
  /** `cancelled` when the edge ended it, and not a fault. */
  z.object({ kind: z.literal("failed"), message: z.string(), cancelled: z.boolean() }),
]);
export type Report = z.infer<typeof report>;
