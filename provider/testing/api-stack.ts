/** A stack whose provider `tenantry` calls an API server of a test's own. */
import type { ApiServer } from "#local/cloudflare/api/testing/api-server.ts";
import { startServer } from "#plugin-host/server.ts";
import { tenantry } from "../tenantry.ts";
import { type TestStack, testStack } from "./test-stack.ts";

/** Opens an empty stack, and a provider server for it that ends with it. */
export async function apiStack(api: ApiServer): Promise<TestStack> {
  const server = await startServer([tenantry]);
  const stack = await testStack({ TENANTRY_PROVIDERS_PORT: String(server.port) });
  await stack.stack.setAllConfig({
    "tenantry:apiToken": { value: api.apiToken, secret: true },
    "tenantry:baseUrl": { value: api.url },
  });
  return {
    ...stack,
    async dispose() {
      await stack.dispose();
      await server.stop();
    },
  };
}
