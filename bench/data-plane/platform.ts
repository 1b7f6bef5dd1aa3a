/** What is measured: a deployed platform with its tenants running, and a Worker that only forwards beside it. */
import { setTimeout as delay } from "node:timers/promises";
import { putRoute, putScript } from "@tenantry/edge/testing/runtime";
import type { Edge } from "#local/edge.ts";
import { call, loggedIn } from "#tests/testing/http.ts";
import { openEdge, platformSettings, stackOf } from "#tests/testing/platform.ts";
import { healthSnapshot } from "#workers/contracts/tenant/health-snapshot.ts";
import { gatewayProcesses } from "#workers/tenant/testing/gateway-processes.ts";
import { Client, type Target } from "../client.ts";
import { FORWARDER_SOURCE, SMALL, SMALL_WORKER } from "./workers.ts";

/** Tenants with a gateway. */
const TENANTS = ["acme", "hooli"] as const;
const NAMESPACE = "tenants";
const ROOT_USER = "root@tenantry.example";
const FORWARDER = "bench-forward";
const START_MS = 30_000;
const POLL_MS = 300;

export interface Platform {
  edge: Edge;
  client: Client;
  /** Slugs of the tenants with a gateway, the first of which is measured. */
  tenants: readonly [string, ...string[]];
  invalidateToken: string;
  /** A path of a tenant as a logged-in user reaches it: Access, dispatch Worker, tenant Worker. */
  dispatched(slug: string, path: string): Promise<Target>;
  /** While `work` runs, a Worker that only forwards takes the dispatch Worker's place at a tenant's host. */
  whileForwarding<T>(slug: string, work: () => Promise<T>): Promise<T>;
  /** A path of a tenant's gateway itself, on the port it listens on. */
  direct(slug: string, path: string): Target;
  close(): Promise<void>;
}

/** Deploys a platform to an edge in a temporary directory, and resolves when its gateways run. */
export async function openPlatform(): Promise<Platform> {
  const { edge, close } = await openEdge();
  const client = new Client();
  try {
    const stack = await stackOf(edge, platformSettings([...TENANTS, SMALL].map((slug) => ({ slug }))));
    await stack.up();
    const invalidateToken: unknown = (await stack.outputs()).invalidateToken?.value;
    if (typeof invalidateToken !== "string") throw new Error("The stack has no output invalidateToken.");
    putScript(edge.store, { name: workerOf(SMALL), namespace: NAMESPACE, source: SMALL_WORKER });
    const bindings = [{ type: "dispatch_namespace", name: "DISPATCHER", namespace: NAMESPACE }];
    putScript(edge.store, { name: FORWARDER, source: FORWARDER_SOURCE, bindings });
    for (const slug of TENANTS) await running(edge, slug);
    return {
      edge,
      client,
      tenants: TENANTS,
      invalidateToken,
      dispatched: async (slug, path) => ({
        port: edge.port,
        path,
        headers: {
          ...(await loggedIn(edge, ROOT_USER, host(edge, slug))),
          host: `${host(edge, slug)}:${edge.port}`,
        },
      }),
      whileForwarding: async (slug, work) => {
        const pattern = `${host(edge, slug)}/*`;
        putRoute(edge.store, pattern, FORWARDER);
        try {
          return await work();
        } finally {
          edge.store.delete("route", `route ${pattern}`);
        }
      },
      direct: (slug, path) => ({
        port: gatewayOf(edge, slug).port,
        path,
        headers: { authorization: `Bearer ${gatewayToken(edge, slug)}` },
      }),
      close: async () => {
        client.close();
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

/** Where whatever is called `slug` has its host. */
export const host = (edge: Edge, slug: string) => `${slug}.${edge.domain}`;

async function running(edge: Edge, slug: string): Promise<void> {
  const deadline = Date.now() + START_MS;
  while (Date.now() < deadline) {
    const { body } = await call(edge, host(edge, slug), "/api/health");
    const parsed = healthSnapshot.safeParse(JSON.parse(body));
    if (parsed.success && parsed.data.startup.ok) return;
    await delay(POLL_MS);
  }
  throw new Error(`The gateway of ${slug} did not start within ${START_MS} ms.`);
}

function gatewayOf(edge: Edge, slug: string): { port: number } {
  const { containers } = edge;
  if (!("marker" in containers)) throw new Error("The bench measures gateways that are processes of this machine.");
  const found = gatewayProcesses(String(containers.marker)).find(
    ({ type, container }) => type === "gateway" && container.includes(`/workerd-${workerOf(slug)}-`),
  );
  if (found === undefined) throw new Error(`The gateway of ${slug} does not run.`);
  return { port: found.port };
}

function gatewayToken(edge: Edge, slug: string): string {
  const script = edge.store.get("script", `${NAMESPACE}/${workerOf(slug)}`);
  const token = script?.bindings.find(({ name }) => name === "GATEWAY_TOKEN")?.text;
  if (typeof token !== "string") throw new Error(`The Worker of ${slug} has no gateway token.`);
  return token;
}
