/** A stack beside a platform's: Cloudflare checks the health of every tenant, and tells whom the zone's notifications go to. */
import * as cloudflare from "@pulumi/cloudflare";
import * as pulumi from "@pulumi/pulumi";
import { readTenantryOutputs } from "#stack/outputs.ts";

/** Asks without starting a gateway that sleeps. */
const HEALTH_PATH = "/api/health?passive=1";

export default async function monitoring(): Promise<{ checks: Record<string, pulumi.Output<string>> }> {
  const config = new pulumi.Config();
  const platformStack = config.require("platformStack");
  const { platform, tenants } = await readTenantryOutputs(platformStack, ["platform", "tenants"]);
  const others = await Promise.all(
    config.requireObject<string[]>("tenantStacks").map((stack) => readTenantryOutputs(stack, ["tenants"])),
  );
  const hostnames = Object.assign({}, tenants, ...others.map((stack) => stack.tenants)) as typeof tenants;
  const checks = Object.entries(hostnames).map(([slug, hostname]) => {
    const check = new cloudflare.Healthcheck(slug, {
      zoneId: platform.zoneId,
      name: `tenant-${slug}`,
      description: `Health of ${hostname}`,
      address: hostname,
      type: "HTTPS",
      httpConfig: { method: "GET", path: HEALTH_PATH, expectedCodes: ["200"] },
    });
    return [slug, check.id] as const;
  });
  return { checks: Object.fromEntries(checks) };
}
