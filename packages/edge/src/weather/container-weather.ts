/** Evictions, slow starts and missing capacity of containers, between workerd and the container engine. */
import { type IncomingMessage, request, type ServerResponse } from "node:http";
import { join } from "node:path";
import type { Log } from "@tenantry/std/log";
import type { ContainerEngine } from "../containers/engine.ts";
import { forwardCall, startEngineRelay } from "../containers/engine-relay.ts";
import { SIDECAR_SUFFIX } from "../containers/names.ts";
import { createScratch, removeScratch } from "../runtime/workerd/workerd.ts";
import type { Weather } from "./weather.ts";

const SLOWEST_START_MS = 10_000;
const LATEST_EVICTION_MS = 10 * 60_000;
/** From SIGTERM to SIGKILL (developers.cloudflare.com/containers/platform-details/rollouts/). */
const GRACE_MS = 15 * 60_000;
/** As in the vendor's package (github.com/cloudflare/containers, `src/lib/container.ts`), which compares it in lower case. */
const NO_CAPACITY = "There is no container instance that can be provided to this Durable Object, try again later";

/** Returns the name of a script from that of its container: the rest has generated ids. */
const scriptOf = (container: string) => container.replace(/^workerd-(.+?)(-[0-9a-f]+){4}$/, "$1");

/** Starts a relay in front of an engine. @param o.directory of its socket */
export async function startContainerWeather(
  engine: ContainerEngine,
  weather: Weather,
  o: { directory: string; log: Log },
): Promise<ContainerEngine> {
  const socketPath = engine.address.replace(/^unix:/, "");
  const evictions = new Map<string, AbortController>();

  const kill = (name: string, signal: string) =>
    new Promise<void>((resolve) => {
      const path = `/containers/${name}/kill?signal=${signal}`;
      const sent = request({ socketPath, method: "POST", path, agent: false }, (response) => response.resume());
      sent.on("close", resolve);
      // The engine has stopped, and its containers with it.
      sent.on("error", () => {});
      sent.end();
    });

  async function evict(name: string, amount: number): Promise<void> {
    const cancelled = new AbortController();
    evictions.set(name, cancelled);
    for (const [time, signal] of [
      [amount * LATEST_EVICTION_MS, "SIGTERM"],
      [GRACE_MS, "SIGKILL"],
    ] as const) {
      await weather.delay(time);
      if (cancelled.signal.aborted) return;
      o.log("weather", "evicting", { script: scriptOf(name), signal });
      await kill(name, signal);
    }
  }

  async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method, url = "/" } = incoming;
    const [, name = "", action] = /^(?:\/v[\d.]+)?\/containers\/([^/?]+)(?:\/(\w+))?/.exec(url) ?? [];
    const isStart = method === "POST" && action === "start" && !name.endsWith(SIDECAR_SUFFIX);
    if (isStart || method === "DELETE") evictions.get(name)?.abort();
    const injected = isStart ? weather.next("containers", `start ${scriptOf(name)}`) : undefined;
    if (injected?.fault === "container_no_capacity") {
      incoming.resume();
      outgoing.writeHead(500, { "content-type": "application/json" }).end(JSON.stringify({ message: NO_CAPACITY }));
      return;
    }
    if (injected?.fault === "container_slow_start") await weather.delay(injected.amount * SLOWEST_START_MS);
    const status = await forwardCall(socketPath, incoming, outgoing);
    // The weather ends delays when it stops.
    if (injected?.fault === "container_evicted" && status < 300) void evict(name, injected.amount).catch(() => {});
  }

  const scratch = createScratch(join(o.directory, "weather"));
  const path = join(scratch.directory, "engine.sock");
  const relay = await startEngineRelay({ socketPath, path, serve });

  return {
    ...engine,
    address: `unix:${path}`,
    async stop() {
      for (const eviction of evictions.values()) eviction.abort();
      await relay.stop();
      removeScratch(scratch);
      await engine.stop();
    },
  };
}
