/**
 * Permission groups that the operations of each API part accept. One is enough; a group that writes also reads. Cloudflare checks them before
 * anything else of a request. Sources: "Accepted Permissions" of each resource in `@pulumi/cloudflare` 6 and in Cloudflare's API reference.
 */
interface Accepted {
  read: readonly string[];
  /** Default: nothing can be written with a created token. */
  write?: readonly string[];
}

const both = (...names: readonly string[]): Accepted => ({
  read: names.flatMap((name) => [`${name} Read`, `${name} Write`]),
  write: names.map((name) => `${name} Write`),
});

const scripts = both("Workers Scripts");
const accessApplications = both("Access: Apps and Policies");
const accessOrganization = both("Access: Organizations, Identity Providers, and Groups");
const kv = both("Workers KV Storage");
const r2 = both("Workers R2 Storage");
const queues = both("Queues", "Workers Scripts");
const containers = both("Workers Containers");

/** By the title of the part. Created tokens cannot call the operations of other parts. */
export const acceptedPermissions: Readonly<Record<string, Accepted>> = {
  Accounts: {
    read: [
      "Account Settings Read",
      ...both("Workers KV Storage", "Workers R2 Storage", "Workers Scripts").read,
      "Billing Read",
    ],
  },
  "API tokens": both("Account API Tokens"),
  Zones: { read: ["Zone Read", ...both("DNS", "Workers Routes").read, "SSL and Certificates Read"] },
  "Certificate packs": { read: ["SSL and Certificates Read"] },
  "DNS records": both("DNS"),
  "Workers routes": both("Workers Routes"),
  "Workers scripts": scripts,
  "Workers as wrangler deploys them": scripts,
  "Secrets of a script": scripts,
  "Static assets of Workers": scripts,
  "Cron triggers": scripts,
  "Dispatch namespaces": scripts,
  "Scripts in a dispatch namespace": scripts,
  "Secrets of a script in a dispatch namespace": scripts,
  "Durable Object namespaces": scripts,
  "Container applications": containers,
  "Container rollouts": containers,
  "Container registries": containers,
  "KV namespaces": kv,
  "KV keys and values": kv,
  "R2 buckets": r2,
  "R2 event notifications": r2,
  Queues: queues,
  "Queue consumers": queues,
  "Hyperdrive configurations": both("Hyperdrive"),
  "Access applications": accessApplications,
  "Policies of an Access application": accessApplications,
  "Access policies (reusable)": accessApplications,
  "Access service tokens": both("Access: Service Tokens"),
  "Access groups": accessOrganization,
  "Zero Trust organization": accessOrganization,
  "AI gateways": both("AI Gateway"),
  "AI gateway logs": both("AI Gateway"),
  "Analytics Engine SQL": { read: ["Account Analytics Read"] },
};
