import * as z from "zod";
import type { EdgeFile } from "../state/edge-file.ts";

export interface Shot {
  name: string;
  url: string;
  email: string | undefined;
}

export const ROOT = "root@tenantry.example";
const ids = z.object({ data: z.array(z.object({ id: z.string() })) });
const clients = z.object({ data: z.array(z.object({ id: z.string(), slug: z.string(), instance: z.unknown() })) });

/** @param get requests a path of the dashboard's API as a platform root */
export async function shotsOf(
  edge: EdgeFile,
  dashboard: string,
  get: (path: string) => Promise<unknown>,
): Promise<Shot[]> {
  const firstId = async (path: string) => ids.parse(await get(path)).data[0]?.id;
  const found = clients.parse(await get("/client?limit=100")).data;
  const client = found.find(({ slug }) => slug === "acme") ?? found.find(({ instance }) => instance !== null);
  const [partner, gateway, job, rollout] = await Promise.all(
    ["/partner", "/api/ai-gateways", "/jobs", "/rollouts"].map((path) => firstId(path)),
  );
  const below = (name: string, path: string, id: string | undefined): [string, string][] =>
    id === undefined ? [] : [[name, `${path}/${id}`]];
  const pages: [name: string, path: string][] = [
    ["overview", "/"],
    ["clients", "/clients"],
    ["client-new", "/clients/new"],
    ...(client === undefined
      ? []
      : ["", "/instance", "/webhooks", "/users", "/usage", "/billing", "/settings"].map((tab): [string, string] => [
          `client${tab.replace("/", "-")}`,
          `/clients/${client.id}${tab}`,
        ])),
    ["people", "/people"],
    ["partners", "/partners"],
    ...below("partner", "/partners", partner),
    ["gateways", "/gateways"],
    ...below("gateway", "/gateways", gateway),
    ["jobs", "/operations/jobs"],
    ...below("job", "/operations/jobs", job),
    ["incidents", "/operations/incidents"],
    ["versions", "/operations/versions"],
    ...below("rollout", "/operations/rollouts", rollout),
    ["capacity", "/operations/capacity"],
    ["audit", "/operations/audit"],
    ["nothing-here", "/clients/none/of/these"],
  ];
  const tenant = edge.tenants[0];
  return [
    ...pages.map(([name, path]) => ({ name, url: new URL(path, dashboard).href, email: ROOT })),
    { name: "invitation-unknown", url: new URL("/invitations/none", dashboard).href, email: undefined },
    { name: "no-tenant", url: `http://nobody-here.${edge.domain}:${edge.port}/`, email: ROOT },
    ...(tenant === undefined
      ? []
      : [
          { name: "tenant-not-invited", url: tenant.url, email: "stranger@elsewhere.example" },
          { name: "tenant", url: tenant.url, email: ROOT },
        ]),
  ];
}
