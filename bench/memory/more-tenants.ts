import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startProvidersFor } from "#local/providers/providers.ts";
import { selectStack } from "#local/start/deployment.ts";
import { targetOf } from "#local/state/edge-file.ts";
import { clientSettings } from "#tests/testing/platform.ts";
import type { RunningEdge } from "./running-edge.ts";

const STACK = "more";

/** Deploys more tenants to the demo's platform, by a stack of their own. @param more settings of each @returns their slugs */
export async function declareTenants(edge: RunningEdge, count: number, more: object = {}): Promise<string[]> {
  const slugs = Array.from({ length: count }, (_, index) => `more-${index + 1}`);
  const target = targetOf(edge);
  const settings = join(edge.directory, `settings-${STACK}.yaml`);
  const clients = clientSettings(slugs.map((slug) => ({ slug, aiGateway: "external" })));
  const config = {
    "tenantry:environment": "production",
    "tenantry:platformStack": "organization/tenantry/local",
    "tenantry:clients": clients.map((client) => ({ ...client, ...more })),
  };
  await writeFile(settings, JSON.stringify({ config }));
  const providers = await startProvidersFor(target);
  try {
    const { directory } = edge;
    const stack = await selectStack({ directory, target, providersPort: providers.port, name: STACK, settings });
    await stack.up();
  } finally {
    await providers.stop();
  }
  return slugs;
}
