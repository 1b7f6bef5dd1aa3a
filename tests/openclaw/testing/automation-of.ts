import { freePort } from "@tenantry/std/free-port";
import { Automation } from "#local/start/automation.ts";
import { currentOutputs } from "#local/start/deployment.ts";
import type { LiveTenant } from "./live-tenant.ts";

/** Starts the automation service of the tenant's platform. */
export async function startAutomation({ edge, stack }: LiveTenant): Promise<Automation> {
  if (stack === undefined) throw new Error("the platform was not deployed");
  const service = new Automation(edge, "production", await freePort());
  service.start(await currentOutputs(stack));
  return service;
}
