/** What was never tried at Cloudflare: the cases that show it, or how a person shows it. */

interface Assumption {
  topic: string;
  assumption: string;
  /** Ids of cases, or of products for all of their cases. */
  cases?: readonly string[];
  /** Why no case shows it, and what to do instead. */
  manual?: string;
  /** Part of the edge's API whose row in `packages/edge/docs/coverage.md` says the same. */
  coverage?: string;
}

const withGateway = "Needs a running gateway.";

export const assumptions: readonly Assumption[] = [
  {
    topic: "Pulumi",
    assumption: "The vendors' plugins deploy the stack, and import a kept bucket.",
    manual:
      "A case calls the API, not the plugin. Deploy a staging platform with `npm run fleet -- up`, destroy it, deploy it again with the kept bucket, and expect no change in the next preview.",
  },
  {
    topic: "Containers",
    assumption: "A rollout changes an application in steps, and an application can be created again.",
    cases: ["containers"],
    coverage: "Container rollouts",
  },
  {
    topic: "Containers",
    assumption:
      "Placement, boot time, notice before an end, eviction of Durable Objects, and the error of a closed port.",
    manual: `${withGateway} Deploy a tenant of a staging platform, roll out another image during a chat, and compare its events and metrics with the local edge.`,
  },
  {
    topic: "Containers",
    assumption: "Intercepted hosts such as `ai-gateway.internal`: name resolution, streaming, disconnects, body size.",
    manual: `${withGateway} Chat with a tenant of a staging platform by streaming, close the page during an answer, and send an attachment of 20 MB.`,
  },
  {
    topic: "Static assets",
    assumption: "Uploads in batches, refused manifests, and the etag when an asset alone changes.",
    cases: ["workers.assets-upload", "workers.assets-invalid-manifest", "workers.assets-etag"],
    coverage: "Static assets of Workers",
  },
  {
    topic: "AI Gateway",
    assumption: "Codes of refused calls.",
    cases: ["ai-gateway.call-without-token", "ai-gateway.call-of-missing-gateway", "ai-gateway.call-over-rate"],
  },
  {
    topic: "AI Gateway",
    assumption:
      "DLP profiles without enabled entries, codes 2029 and 2030, code 2045 of a spend limit, and caching of calls by a binding.",
    manual:
      "Needs a provider's key and DLP profiles, which belong to the account. Enable the profile Financial Information, and send a card number through a gateway of a staging platform.",
  },
  {
    topic: "AI Gateway",
    assumption: "The log's entries have the fields by which usage is counted.",
    cases: ["ai-gateway.log-list", "ai-gateway.log-page-size"],
  },
  {
    topic: "AI Gateway",
    assumption: "The code of a create beyond the account's number of gateways.",
    manual: "Not relied on: the automation service counts gateways before a create, and shows any refusal.",
    coverage: "AI gateways",
  },
  {
    topic: "AI Gateway",
    assumption: "Names of a log entry's fields of data loss prevention.",
    manual: "Not read by the project.",
    coverage: "AI gateway logs",
  },
  {
    topic: "DNS",
    assumption: "Codes of invalid contents of MX, NS and TXT records.",
    manual: "The project has AAAA records only.",
    coverage: "DNS records",
  },
  {
    topic: "Monitoring",
    assumption: "Codes of refused values of health checks.",
    manual: "Not relied on.",
    coverage: "Health checks",
  },
  {
    topic: "Workers for Platforms",
    assumption: "The code of the refused delete of a dispatch namespace that has scripts.",
    manual: "Not relied on: any refusal keeps the namespace, and is shown.",
    coverage: "Dispatch namespaces",
  },
  {
    topic: "R2",
    assumption: "Codes of refused event notifications.",
    manual: "The project has no event notifications; only users of `packages/edge` do.",
    coverage: "R2 event notifications",
  },
  {
    topic: "Analytics Engine",
    assumption: "Format of times, missing datasets, names of columns, and quotes in strings.",
    cases: ["analytics-engine"],
    coverage: "Analytics Engine SQL",
  },
  {
    topic: "Analytics Engine",
    assumption: "Backslashes in strings.",
    manual: "Not relied on: `sqlText` refuses them.",
  },
  {
    topic: "Hyperdrive",
    assumption: "A configuration of a database, and the refusal of one that cannot be reached.",
    cases: ["hyperdrive"],
    coverage: "Hyperdrive configurations",
  },
  {
    topic: "Hyperdrive",
    assumption: "Pipelined queries, what is reset between transactions, and the errors of a database that fails later.",
    manual:
      "Needs a managed database that can be stopped. Deploy a staging platform, open the dashboard, restart the database, and expect the dashboard to recover within a minute.",
  },
  {
    topic: "Access",
    assumption: "Precedence of a path on a host, and applications on part of a label.",
    cases: ["zero-trust.application-path", "zero-trust.application-partial-label"],
  },
  {
    topic: "Access",
    assumption: "Groups within groups, and groups of hundreds of members.",
    cases: ["zero-trust.group-of-groups", "zero-trust.group-members"],
  },
  {
    topic: "Access",
    assumption: "A login by a service token, also one in a group, and whether a token in use can be deleted.",
    cases: ["zero-trust.service-token-login", "zero-trust.service-token-group", "zero-trust.service-token-in-use"],
    coverage: "Access service tokens",
  },
  {
    topic: "Access",
    assumption: "The place of an application's own policy without a precedence.",
    cases: ["zero-trust.service-token-login"],
    coverage: "Policies of an Access application",
  },
  {
    topic: "Access",
    assumption: "The login of a member of a nested group, and the claims of its token.",
    manual: "A login needs a mailbox. Log in to a tenant of a staging platform as a member and as a root user.",
  },
  {
    topic: "Workers for Platforms",
    assumption:
      "Subrequests of Durable Objects, messages of exceeded limits and missing scripts, and propagation of changes.",
    cases: [
      "workers-for-platforms.dispatch-versions",
      "workers-for-platforms.dispatch-missing-script",
      "workers-for-platforms.dispatch-cpu-limit",
      "workers-for-platforms.dispatch-subrequest-limit",
      "workers-for-platforms.dispatch-object-calls",
    ],
  },
  {
    topic: "Workers for Platforms",
    assumption: "Settings keep a script's etag.",
    cases: ["workers-for-platforms.script-settings-etag"],
  },
  {
    topic: "Workers for Platforms",
    assumption: "Calls of a container count as subrequests.",
    manual: `${withGateway} Call \`/api/health\` of a tenant of the free plan a hundred times at once, and expect no refusal by a limit.`,
  },
  {
    topic: "Storage",
    assumption: "Bindings of KV, R2 and Queues: consistency and delivery.",
    cases: ["kv.binding-write", "r2.binding-objects", "queues.consumer-receives"],
  },
  {
    topic: "Doctor",
    assumption: "Pages of each list, and creation times that do not change.",
    cases: [
      "workers-for-platforms.script-list-whole",
      "workers-for-platforms.script-created-on",
      "r2.bucket-pages",
      "r2.bucket-creation-date",
      "ai-gateway.gateway-created-at",
      "durable-objects.namespace-pages",
    ],
  },
  {
    topic: "Doctor",
    assumption: "The permission that each list needs.",
    manual:
      "A case has the permissions to create. Run `npm run fleet -- doctor` with a token of read permissions only, and expect no denied list.",
  },
  {
    topic: "Automation service",
    assumption: "The service counts the account's resources.",
    cases: [
      "accounts-tokens.token-list-total",
      "zero-trust.application-list-total",
      "zero-trust.group-list-total",
      "zero-trust.policy-list-total",
      "ai-gateway.gateway-list-total",
    ],
  },
  {
    topic: "Automation service",
    assumption: "A real mail provider, vendor plugins, a session pooler, and the service as an image.",
    manual: "Not Cloudflare. Run the image beside a staging platform, and provision a tenant from the dashboard.",
  },
  {
    topic: "Monitoring",
    assumption: "Health checks of `docs/examples/monitoring`.",
    cases: ["healthchecks"],
  },
  {
    topic: "Pipeline",
    assumption: "The GitHub workflow of `docs/examples/pipeline`.",
    manual: "Not Cloudflare. Copy it to a repository of tenants, and open a pull request.",
  },
  {
    topic: "States",
    assumption: "States in R2, key services and lock rules.",
    manual: "The S3 interface needs keys of a person. Follow `docs/how-to/store-states.md` with a staging platform.",
  },
  {
    topic: "Database",
    assumption: "Supabase's REST layer and keys, and a managed PostgreSQL with TLS.",
    manual: "Not Cloudflare. Deploy a staging platform with the database of production's vendor.",
  },
  {
    topic: "Local machine",
    assumption: "Docker itself, rootless Podman, and macOS.",
    manual: "Not Cloudflare. Run `npm start -- --containers docker` there.",
  },
  {
    topic: "Responses",
    assumption: "A response whose stream fails midway ends as if it were complete.",
    manual: "Not relied on: long responses end with a status line.",
  },
];
