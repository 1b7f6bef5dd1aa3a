/** A deployed platform with running tenants, and a Worker that only forwards. */
import { putRoute, putScript } from "@tenantry/edge/testing/runtime";
import type { Edge } from "#local/edge.ts";
import { loggedIn } from "#tests/testing/http.ts";
import { openEdge, platformSettings, stackOf } from "#tests/testing/platform.ts";
import { type GatewayProcess, gatewayProcesses } from "#workers/tenant/testing/gateway-processes.ts";
import { Client, type Target } from "../client.ts";
import { waitForGateway } from "../waiting.ts";
import { GatewayPorts } from "./gateway-ports.ts";
import { FORWARDER_SOURCE, SMALL, SMALL_WORKER } from "./workers.ts";

const TENANTS = ["acme", "hooli"] as const;
const NAMESPACE = "tenants";
const ROOT_USER = "root@tenantry.example";
const FORWARDER = "bench-forward";
const START_MS = 30_000;

export interface Platform {
  edge: Edge;
  client: Client;
  /** Tenants with a gateway. The first is measured. */
  tenants: readonly [string, ...string[]];
  invalidateToken: string;
  dispatched(slug: string, path: string): Promise<Target>;
  /** Replaces the dispatch Worker at a tenant's host by one that only forwards while `work` runs. */
  whileForwarding<T>(slug: string, work: () => Promise<T>): Promise<T>;
  /** The gateway's own port, without the platform. */
  direct(slug: string, path: string): Target;
  close(): Promise<void>;
}

export async function openPlatform(): Promise<Platform> {
  const { edge, close } = await openEdge();
  const client = new Client();
  const ports = new GatewayPorts();
  try {
    const stack = await stackOf(edge, platformSettings([...TENANTS, SMALL].map((slug) => ({ slug }))));
    await stack.up();
    const invalidateToken: unknown = (await stack.outputs()).invalidateToken?.value;
    if (typeof invalidateToken !== "string") throw new Error("The stack has no output invalidateToken.");
    putScript(edge.store, { name: workerOf(SMALL), namespace: NAMESPACE, source: SMALL_WORKER });
    const bindings = [{ type: "dispatch_namespace", name: "DISPATCHER", namespace: NAMESPACE }];
    putScript(edge.store, { name: FORWARDER, source: FORWARDER_SOURCE, bindings });
    for (const slug of TENANTS) await waitForGateway(edge, slug, START_MS);
    return {
      edge,
      client,
      tenants: TENANTS,
      invalidateToken,
      dispatched: async (slug, path) => ({
        port: edge.port,
        path,
        headers: {
          ...(await loggedIn(edge, ROOT_USER, tenantHost(edge, slug))),
          host: `${tenantHost(edge, slug)}:${edge.port}`,
        },
      }),
      whileForwarding: async (slug, work) => {
        const pattern = `${tenantHost(edge, slug)}/*`;
        putRoute(edge.store, pattern, FORWARDER);
        try {
          return await work();
        } finally {
          edge.store.delete("route", `route ${pattern}`);
        }
      },
      direct: (slug, path) => ({
        ...ports.of(gatewayOf(edge, slug)),
        path,
        headers: { authorization: `Bearer ${gatewayToken(edge, slug)}` },
      }),
      close: async () => {
        client.close();
        ports.close();
        await close();
      },
    };
  } catch (error) {
    client.close();
    await close();
    throw error;
  }
}

const workerOf = (slug: string) => `tenant-${slug}`;

export const tenantHost = (edge: Edge, slug: string) => `${slug}.${edge.domain}`;

function gatewayOf(edge: Edge, slug: string): GatewayProcess {
  const { containers } = edge;
  if (!("marker" in containers)) throw new Error("The benchmark requires gateways that are local processes.");
  const found = gatewayProcesses(String(containers.marker)).find(
    ({ type, container }) => type === "gateway" && container.includes(`/workerd-${workerOf(slug)}-`),
  );
  if (found === undefined) throw new Error(`The gateway of ${slug} does not run.`);
  return found;
}

function gatewayToken(edge: Edge, slug: string): string {
  const script = edge.store.get("script", `${NAMESPACE}/${workerOf(slug)}`);
  const token = script?.bindings.find(({ name }) => name === "GATEWAY_TOKEN")?.text;
  if (typeof token !== "string") throw new Error(`The Worker of ${slug} has no gateway token.`);
  return token;
}
