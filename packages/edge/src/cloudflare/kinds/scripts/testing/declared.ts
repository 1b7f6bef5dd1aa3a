import * as cloudflare from "@pulumi/cloudflare";
import * as pulumi from "@pulumi/pulumi";
import { account_id as accountId } from "#cloudflare/api/testing/api-server.ts";
import { declared } from "#cloudflare/plugin/testing/declared.ts";
import { namespace as dispatchNamespace } from "../../dispatch-namespaces/testing/declared.ts";
import { configuration as hyperdrive } from "../../hyperdrive/testing/declared.ts";
import { namespace as kvNamespace } from "../../kv/testing/declared.ts";
import { queue } from "../../queues/testing/declared.ts";

const SCRIPT = "export default { fetch: () => new Response('hello') };";

export const script = declared({
  make: (variant) =>
    new cloudflare.WorkersScript("dispatch", {
      accountId,
      scriptName: "dispatch",
      mainModule: "index.js",
      content: `${SCRIPT} // ${variant.edition}`,
      compatibilityDate: "2026-01-01",
      compatibilityFlags: ["nodejs_compat"],
      observability: { enabled: true },
      bindings: [
        { type: "dispatch_namespace", name: "DISPATCHER", namespace: dispatchNamespace(variant).namespaceName },
        { type: "kv_namespace", name: "TENANT_INDEX", namespaceId: kvNamespace(variant).id },
        { type: "queue", name: "FANOUT", queueName: queue(variant).queueName },
        { type: "hyperdrive", name: "DB", id: hyperdrive(variant).id },
        { type: "plain_text", name: "EDITION", text: String(variant.edition) },
        { type: "secret_text", name: "TOKEN", text: pulumi.secret(`script-secret-${variant.edition}`) },
      ],
    }),
  record: "script",
  import: { type: "workersScript:WorkersScript", id: () => `${accountId}/dispatch` },
});
