/** Deploys more tenants to the demo's platform, by a stack of their own. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startProvidersFor } from "#local/providers/providers.ts";
import { selectStack } from "#local/start/deployment.ts";
import { clientSettings } from "#tests/testing/platform.ts";
import type { RunningEdge } from "./running-edge.ts";

const STACK = "more";

/** @returns the slugs */
export async function declareTenants(edge: RunningEdge, count: number): Promise<string[]> {
  const slugs = Array.from({ length: count }, (_, index) => `more-${index + 1}`);
  const target = { ...edge, apiUrl: edge.api, accessIssuer: edge.access, dispatchUrls: edge.dispatch };
  const settings = join(edge.directory, `settings-${STACK}.yaml`);
  const clients = clientSettings(slugs.map((slug) => ({ slug, aiGateway: "one-of-somebody-elses" })));
  const config = {
    "tenantry:environment": "production",
    "tenantry:platformStack": "organization/tenantry/local",
    "tenantry:clients": clients,
  };
  await writeFile(settings, JSON.stringify({ config }));
  const providers = await startProvidersFor(target);
  try {
    const stack = await selectStack({
      directory: edge.directory,
      target,
      providersPort: providers.port,
      name: STACK,
      settings,
    });
    await stack.up();
  } finally {
    await providers.stop();
  }
  return slugs;
}
