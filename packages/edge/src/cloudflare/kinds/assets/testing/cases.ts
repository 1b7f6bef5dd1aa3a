import { type ApiServer, account_id } from "#cloudflare/api/testing/api-server.ts";
import type { Case } from "#cloudflare/api/testing/case.ts";
import { tenants, uploadTenant } from "#cloudflare/api/testing/tenant.ts";
import { workerAssetsApi } from "../api.ts";
import { entryOf, manifestOf, uploadAssets, uploadWithAssets } from "./asset-upload.ts";

const wanted = manifestOf({ "/wanted.html": "wanted" });

export const cases: Case[] = [
  {
    part: workerAssetsApi,
    given: ["app"],
    // A session has no read; creating one checks it.
    read: (cloudflare, id) => cloudflare.workers.scripts.assets.upload.create(id, { account_id, manifest: wanted }),
    expected: () => ({ buckets: [[entryOf("wanted").hash]] }),
  },
];

/** Calls the operations that no case covers. */
export async function otherCalls({ cloudflare }: ApiServer): Promise<void> {
  const jwt = await uploadAssets(cloudflare, "app", { "/index.html": "hello" });
  await uploadWithAssets(cloudflare, "app", {
    assets: { jwt, config: { html_handling: "none", run_worker_first: ["/*", "!/assets/*"] } },
    bindings: [{ type: "assets", name: "ASSETS" }],
  });
  const manifest = manifestOf({ "/other.html": "other" });
  const session = await cloudflare.workers.scripts.assets.upload.create("app", { account_id, manifest });
  const body = { [entryOf("other").hash]: Buffer.from("other").toString("base64") };
  const headers = { Authorization: `Bearer ${session.jwt}` };
  await cloudflare.workers.assets.upload.create({ account_id, base64: true, body }, { headers });
  await cloudflare.workersForPlatforms.dispatch.namespaces.create({ account_id, name: "tenants" });
  await uploadTenant(cloudflare, "tenant");
  const { assetUpload } = cloudflare.workersForPlatforms.dispatch.namespaces.scripts;
  await assetUpload.create("tenant", { ...tenants, manifest });
}
