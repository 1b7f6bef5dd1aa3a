import { freePort } from "@tenantry/std/free-port";
import { vi } from "vitest";
import { Automation } from "#local/start/automation.ts";
import { currentOutputs } from "#local/start/deployment.ts";
import { sql } from "../../testing/sql.ts";
import type { LiveTenant } from "./live-tenant.ts";
import { PATIENCE_MS } from "./page.ts";

const DUE_MEMBERS = "select key from graphile_worker.jobs where key like 'members:%' and run_at <= now()";

/**
 * Starts the automation service of the tenant's platform, and waits until it has set the demo users as members: that cuts the tenant's connections,
 * and a page whose connection ends while it starts stays without content until a reload.
 */
export async function startAutomation({ edge, stack }: LiveTenant): Promise<Automation> {
  if (stack === undefined) throw new Error("the platform was not deployed");
  const service = new Automation(edge, "production", await freePort());
  service.start(await currentOutputs(stack));
  const isSet = async () => (await sql(edge, DUE_MEMBERS)).length === 0;
  await vi.waitUntil(isSet, { timeout: PATIENCE_MS, interval: 200 });
  return service;
}
