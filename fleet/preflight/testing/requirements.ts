import { checkSettings } from "#stack/settings/settings.ts";
import { CloudflareApi } from "../cloudflare.ts";
import type { Requirements } from "../requirements.ts";

const CONNECTIONS = {
  databaseUrl: "postgres://owner:password@127.0.0.1:9/tenantry",
  restUrl: "http://127.0.0.1:9/rest/v1",
  serviceRoleKey: "header.payload.signature",
  accessIssuer: "https://team.cloudflareaccess.com",
};
export const ACCOUNT = "a".repeat(32);

interface Given {
  /** Base URL of the API. */
  url: string;
  apiToken?: string;
  platform?: object;
  clients?: readonly object[];
  state?: Requirements["state"];
}

/** Returns what a stack of production declares. */
export function requirementsOf({ url, apiToken = "token", platform, clients = [], state }: Given): Requirements {
  const settings = checkSettings(
    {
      platform: {
        domain: "agents.example.com",
        accountId: ACCOUNT,
        zoneId: "b".repeat(32),
        containerImage: `registry.cloudflare.com/${ACCOUNT}/gateway:1`,
        rootUsers: ["root@tenantry.example"],
        ...platform,
      },
      clients,
    },
    CONNECTIONS,
  );
  if (settings.platform === undefined) throw new Error("no platform");
  const { signal } = new AbortController();
  const api = new CloudflareApi(url, apiToken, signal);
  return { stack: "prod", settings, encryption: {}, state: state ?? { found: undefined }, api, variables: {}, signal };
}
