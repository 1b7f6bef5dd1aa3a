/** A stack whose provider `tenantry` calls a test's own API server. */
import { join } from "node:path";
import type { ApiServer } from "@tenantry/edge/testing/api";
import { pluginEnvironment, startServer } from "@tenantry/plugin-host";
import { type TestStack, testStack } from "@tenantry/plugin-host/testing/test-stack";
import { tenantry } from "../tenantry.ts";

const PROVIDER = join(import.meta.dirname, "..");

/** Opens an empty stack with its own provider server, which stops with the stack. */
export async function apiStack(api: ApiServer): Promise<TestStack> {
  const server = await startServer([tenantry]);
  const stack = await testStack(pluginEnvironment(server), { tenantry: PROVIDER });
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
