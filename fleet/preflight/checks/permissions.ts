/**
 * Permissions of the token. A permission to edit is proven by the deletion of an item that cannot exist: the API checks the permission first,
 * so 404 means permitted, and 403 denied.
 */
import { preflightApiErrors as errors } from "#domain/errors/commands/fleet-preflight.ts";
import type { PlatformSettings } from "#domain/settings/platform.ts";
import { type Check, failed, passed, warned } from "../check.ts";
import { faultOf, isDenied, isSuccess } from "../cloudflare.ts";
import { productRefusal } from "./products.ts";

const NAME = "tenantry-preflight-without-owner";
const HEX = "0".repeat(32);
const UUID = "00000000-0000-4000-8000-000000000000";

interface Permission {
  id: string;
  /** Cloudflare's name (`@pulumi/cloudflare`: "Accepted Permissions" of each resource), as docs/reference/permissions.md has it. */
  name: string;
  scope: "account" | "zone";
  /** What needs it. */
  use: string;
  /** Below the account or zone. A deletion unless it starts with `GET`. */
  probe: string;
  /** Without it, the platform deploys and something is missing. Default: it does not deploy. */
  optional?: true;
}

/** What `pulumi up`, the automation service and the doctor need. The Workers' own tokens are created by the stack. */
export const PERMISSIONS: readonly Permission[] = [
  {
    id: "workers_scripts",
    name: "Workers Scripts (Edit)",
    scope: "account",
    use: "Workers, their cron triggers and the dispatch namespace",
    probe: `workers/scripts/${NAME}`,
  },
  {
    id: "kv",
    name: "Workers KV Storage (Edit)",
    scope: "account",
    use: "the index of tenants",
    probe: `storage/kv/namespaces/${HEX}`,
  },
  {
    id: "r2",
    name: "Workers R2 Storage (Edit)",
    scope: "account",
    use: "backups and logos",
    probe: `r2/buckets/${NAME}`,
  },
  { id: "queues", name: "Queues (Edit)", scope: "account", use: "the fan-out queue", probe: `queues/${HEX}` },
  {
    id: "hyperdrive",
    name: "Hyperdrive (Edit)",
    scope: "account",
    use: "the dashboard's connection to the database",
    probe: `hyperdrive/configs/${HEX}`,
  },
  {
    id: "containers",
    name: "Workers Containers (Edit)",
    scope: "account",
    use: "the gateways' containers",
    probe: `containers/applications/${UUID}`,
  },
  {
    id: "ai_gateway",
    name: "AI Gateway (Edit)",
    scope: "account",
    use: "the pool of AI gateways",
    probe: `ai-gateway/gateways/${NAME}`,
  },
  {
    id: "access_apps",
    name: "Access: Apps and Policies (Edit)",
    scope: "account",
    use: "the login in front of every host",
    probe: `access/apps/${UUID}`,
  },
  {
    id: "access_groups",
    name: "Access: Organizations, Identity Providers, and Groups (Edit)",
    scope: "account",
    use: "groups of root users and members",
    probe: `access/groups/${UUID}`,
  },
  {
    id: "api_tokens",
    name: "Account API Tokens (Edit)",
    scope: "account",
    use: "the tokens of Workers and tenants",
    probe: `tokens/${HEX}`,
  },
  {
    id: "analytics",
    name: "Account Analytics (Read)",
    scope: "account",
    use: "fleet -- doctor and the automation service",
    probe: "GET analytics_engine/sql?query=SHOW%20TABLES",
    optional: true,
  },
  {
    id: "workers_routes",
    name: "Workers Routes (Edit)",
    scope: "zone",
    use: "the tenants' and the dashboard's hosts",
    probe: `workers/routes/${HEX}`,
  },
  {
    id: "dns",
    name: "DNS (Edit)",
    scope: "zone",
    use: "the tenants' and the dashboard's hosts",
    probe: `dns_records/${HEX}`,
  },
];

export const permissionChecks: readonly Check[] = PERMISSIONS.map((permission) => ({
  id: `permission_${permission.id}`,
  title: `Permission ${permission.name}`,
  async run({ api, settings }) {
    const { name, scope, use, probe, optional } = permission;
    const path = probe.replace(/^GET /, "");
    const answer = await api.request(
      path === probe ? "DELETE" : "GET",
      `${scopePath(scope, settings.platform)}/${path}`,
    );
    const values = { permission: name, fault: faultOf(answer) };
    if (isDenied(answer))
      return (optional ? warned : failed)(errors.preflight_permission_missing, { ...values, use, scope });
    const isProven =
      answer.status === 404 ||
      isSuccess(answer) ||
      (answer.status === 200 && path !== probe) ||
      productRefusal(answer) !== undefined;
    return isProven ? passed() : warned(errors.preflight_permission_unproven, values);
  },
}));

export const scopePath = (scope: Permission["scope"], { accountId, zoneId }: PlatformSettings): string =>
  scope === "account" ? `/accounts/${accountId}` : `/zones/${zoneId}`;
