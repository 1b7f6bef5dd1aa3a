/** Workers of cases that requests reach. */
import type { Client } from "./run/client.ts";
import type { Scope } from "./run/scope.ts";
import { createScript } from "./uploads.ts";

/** What {@link serveScript} creates and needs, for products. */
export const SERVING = {
  creates: ["script", "route", "dns_record"],
  permission: "Workers Scripts (Edit), and on the zone Workers Routes (Edit) and DNS (Edit)",
  inZone: true,
} as const;

/** Uploads a script and serves it on a host of its own, as the platform serves its Workers. */
export async function serveScript(
  client: Client,
  scope: Scope,
  metadata: object,
  code?: string,
): Promise<{ host: string; script: string }> {
  const { zone_id, domain } = scope;
  const script = await createScript(client, scope, metadata, code);
  const host = scope.own("dns_record", `${scope.name()}.${domain}`);
  const record = { name: host, type: "AAAA" as const, content: "100::", ttl: 1 as const, proxied: true };
  await client.sdk.dns.records.create({ zone_id, ...record });
  const pattern = scope.own("route", `${host}/*`);
  await client.sdk.workers.routes.create({ zone_id, pattern, script });
  return { host, script };
}

/** Repeats a request until the host responds with a text. */
export const awaitText = (
  scope: Scope,
  what: string,
  host: string,
  text: string,
  { path = "/", longestMs }: { path?: string; longestMs?: number } = {},
) =>
  scope.eventually(
    what,
    () => scope.visit(host, path),
    ({ body }) => body === text,
    longestMs,
  );
