/**
 * The machine's own container engine, Docker or Podman, for workerd. workerd makes and removes the containers; here they are
 * found again, so that a next start of the edge finds tenants as they were.
 */
import { existsSync, mkdirSync, realpathSync } from "node:fs";
import type { Log } from "@tenantry/std/log";
import * as z from "zod";
import type { ContainerEngine } from "../engine.ts";
import { lastEngine, PROCESSES, rememberEngine } from "../last-engine.ts";
import { containerKey, engineMark, SIDECAR_SUFFIX } from "../names.ts";
import { watchAwake } from "./awake.ts";
import { RealEngineClient } from "./client.ts";
import { forEach, OwnContainers, type Pair } from "./containers.ts";

/** Miniflare's own, which it does not export. */
export const EGRESS_IMAGE =
  "cloudflare/proxy-everything:3cb1195@sha256:0ef6716c52430096900b150d84a3302057d6cd2319dae7987128c85d0733e3c8";

/** The sidecar's image. @param environment Default: this process's */
export const egressImageOf = (environment: NodeJS.ProcessEnv = process.env): string =>
  environment.MINIFLARE_CONTAINER_EGRESS_IMAGE || EGRESS_IMAGE;

export interface RealEngineOptions {
  /** Where the edge remembers whose containers it had; made if missing. Its path tells them from another edge's. */
  directory: string;
  /** Path of the engine's socket. */
  socket: string;
  /** The gateway's image, which the engine has. */
  image: string;
  /** The sidecar's image, which the engine has. */
  egressImage: string;
  log: Log;
}

const component = z.looseObject({ Name: z.string(), Version: z.string() });
const version = z.looseObject({ Components: z.array(component).nullish() });

const addressOf = (socket: string): string => `unix:${socket}`;

/** @throws Error when the engine does not do what it is asked */
export async function startRealEngine(options: RealEngineOptions): Promise<ContainerEngine> {
  const { socket, image, egressImage, log } = options;
  mkdirSync(options.directory, { recursive: true, mode: 0o700 });
  const directory = realpathSync(options.directory);
  const mark = engineMark(directory);
  const address = addressOf(socket);
  const client = new RealEngineClient(socket);
  const containers = new OwnContainers(client, mark);
  const bridge = `tenantry-${mark}-bridge`;
  let stopped = false;

  const { text } = await client.expect([200], "GET", "/version");
  const [main, ...others] = version.parse(JSON.parse(text)).Components ?? [];
  const isPodman = [main, ...others].some((one) => one?.Name === "Podman Engine");
  // Of an edge that began anew, or one that had another engine meanwhile: older than what the tenants have backed up.
  if (lastEngine(directory) !== address) await containers.removeAll();
  rememberEngine(directory, address);
  if (isPodman) {
    // Its bridge is there only while a container is on it, and workerd wants to listen on the bridge before it starts one.
    await containers.remove(bridge);
    const body = { Image: image, HostConfig: { NetworkMode: "bridge" } };
    await client.expect([201], "POST", "/containers/create", { query: { name: bridge }, body });
    await containers.start(bridge);
  }

  const awake = await watchAwake({ client, containers, mark }, log);

  /** workerd takes up a container that runs beside its sidecar, and makes any other anew, without its disk. */
  const resume = async ({ name, container, sidecar }: Pair): Promise<void> => {
    if (container === undefined || (container.running && sidecar?.running)) return;
    if (sidecar === undefined) {
      // The network that it was made for is gone, so it can never start again.
      await containers.remove(name);
      return log("containers", "lost-network", { name });
    }
    if (container.running) await containers.stop(name);
    await containers.start(name + SIDECAR_SUFFIX);
    await containers.start(name);
    log("containers", "resumed", { name });
  };

  return {
    address,
    egressImage,
    image,
    description: `Each container runs in ${main === undefined ? socket : `${main.Name} ${main.Version}`}.`,
    uniqueKey: (script, className) => containerKey(mark, script, className),
    isAwake: (script) => awake.has(script),
    ready: async (script) => forEach(await containers.pairs(script), resume),
    end: (script) => containers.removeAll(script),
    async stop() {
      if (stopped) return;
      stopped = true;
      awake.stop();
      await forEach(await containers.pairs(), async ({ name, container, sidecar }) => {
        if (container?.running) await containers.stop(name);
        if (sidecar?.running) await containers.stop(name + SIDECAR_SUFFIX);
      });
      if (isPodman) await containers.remove(bridge);
    },
  };
}

/**
 * Removes the containers that an edge left on a real engine, with their disks, if it had one.
 *
 * @param directory where that edge remembers its engine
 * @throws Error when the engine does not do it, as one that does not run
 */
export async function removeContainers(directory: string): Promise<void> {
  const engine = existsSync(directory) ? (lastEngine(directory) ?? PROCESSES) : PROCESSES;
  if (engine === PROCESSES) return;
  const client = new RealEngineClient(engine.replace(/^unix:/, ""));
  await new OwnContainers(client, engineMark(realpathSync(directory))).removeAll();
}
