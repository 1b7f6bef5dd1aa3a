import type Cloudflare from "cloudflare";
import { account_id, moduleFile } from "./api-server.ts";

export const tenants = { account_id, dispatch_namespace: "tenants" };

export async function uploadTenant(cloudflare: Cloudflare, name: string, classes: string[] = []): Promise<void> {
  await cloudflare.workersForPlatforms.dispatch.namespaces.scripts.update(name, {
    ...tenants,
    metadata: {
      main_module: "index.js",
      ...(classes.length === 0 ? {} : { migrations: { new_tag: "v1", steps: [{ new_sqlite_classes: classes }] } }),
      ...{ containers: classes.map((class_name) => ({ class_name })) },
    },
    files: [await moduleFile("export default {};")],
  });
}
