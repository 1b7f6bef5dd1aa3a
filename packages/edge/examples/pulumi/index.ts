import * as cloudflare from "@pulumi/cloudflare";

const accountId = process.env.CLOUDFLARE_ACCOUNT_ID ?? "";
const zoneId = process.env.CLOUDFLARE_ZONE_ID ?? "";

const visits = new cloudflare.WorkersKvNamespace("visits", { accountId, title: "visits" });

const worker = new cloudflare.WorkersScript("visits", {
  accountId,
  scriptName: "visits",
  mainModule: "index.js",
  compatibilityDate: "2026-07-01",
  content: `export default {
    async fetch(request, env) {
      // A key for each visit: one key may be written once in a second.
      await env.VISITS.put(crypto.randomUUID(), "");
      return new Response("Visit " + (await env.VISITS.list()).keys.length);
    },
  };`,
  bindings: [{ type: "kv_namespace", name: "VISITS", namespaceId: visits.id }],
});

new cloudflare.WorkersRoute("visits", { zoneId, pattern: "visits.edge.localhost/*", script: worker.scriptName });
