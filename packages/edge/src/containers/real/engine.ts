import { existsSync, mkdirSync, realpathSync } from "node:fs";
import { isIPv4 } from "node:net";
import { join } from "node:path";
import type { Log } from "@tenantry/std/log";
import * as z from "zod";
import { createScratch, removeScratch } from "../../runtime/workerd/workerd.ts";
import type { Deployment } from "../deployments.ts";
import type { ContainerEngine } from "../engine.ts";
import { lastEngine, PROCESSES, rememberEngine } from "../last-engine.ts";
import { containerKey, engineMark, keyOf, namesOf, SIDECAR_SUFFIX } from "../names.ts";
import { watchAwake } from "./awake.ts";
import { startBridge } from "./bridge.ts";
import { RealEngineClient } from "./client.ts";
import { forEach, OwnContainers, type Pair } from "./containers.ts";
import { VolumeDisks } from "./disks.ts";
import { abilitiesOf, describeEngine } from "./hardening/abilities.ts";
import { writeFilter } from "./hardening/filter.ts";
import { startHardenedSocket } from "./hardening/hardened-socket.ts";
import { type CreateBody, hardenContainer, hardenSidecar } from "./hardening/hardening.ts";

/** Not exported by Miniflare. */
export const EGRESS_IMAGE =
  "cloudflare/proxy-everything:3cb1195@sha256:0ef6716c52430096900b150d84a3302057d6cd2319dae7987128c85d0733e3c8";

/** Returns the image of the sidecar. @param environment Default: that of this process */
export const egressImageOf = (environment: NodeJS.ProcessEnv = process.env): string =>
  environment.MINIFLARE_CONTAINER_EGRESS_IMAGE || EGRESS_IMAGE;

interface RealEngineOptions {
  /** Has the record of the last engine; created when missing. Its path identifies the containers of this edge. */
  directory: string;
  socket: string;
  image: string;
  egressImage: string;
  log: Log;
}

const component = z.looseObject({ Name: z.string(), Version: z.string() });
const version = z.looseObject({ Components: z.array(component).nullish() });
const inspectedImage = z.looseObject({
  Config: z.looseObject({ Entrypoint: z.array(z.string()).nullish(), Cmd: z.array(z.string()).nullish() }),
});
const network = z.looseObject({ IPAM: z.looseObject({ Config: z.array(z.looseObject({ Gateway: z.string() })) }) });

/**
 * Runs containers in the machine's own engine, Docker or Podman. workerd creates and removes them. The next start of the edge resumes them.
 *
 * @throws Error when the engine fails
 */
export async function startRealEngine(options: RealEngineOptions): Promise<ContainerEngine> {
  const { socket, image, egressImage, log } = options;
  mkdirSync(options.directory, { recursive: true, mode: 0o700 });
  const directory = realpathSync(options.directory);
  const mark = engineMark(directory);
  const address = `unix:${socket}`;
  const client = new RealEngineClient(socket);
  const disks = new VolumeDisks(client, directory);
  const containers = new OwnContainers(client, mark, disks);
  const bridge = `tenantry-${mark}-bridge`;
  let stopped = false;

  const { text } = await client.expect([200], "GET", "/version");
  const [main, ...others] = version.parse(JSON.parse(text)).Components ?? [];
  const isPodman = [main, ...others].some((component) => component?.Name === "Podman Engine");
  // Their disks may be older than the backups of their containers.
  if (lastEngine(directory) !== address) await containers.removeAll();
  rememberEngine(directory, address);
  await disks.removeOthers(new Set((await containers.pairs()).map(({ name }) => name)));
  const abilities = await abilitiesOf(client);
  const noDisks = isPodman
    ? await startBridge({ ...{ client, containers, disks, name: bridge, image }, isRoot: !abilities.users })
    : "only Podman mounts images";
  const egress = await client.expect([200], "GET", `/images/${encodeURI(egressImage)}/json`);
  const { Entrypoint, Cmd } = inspectedImage.parse(JSON.parse(egress.text)).Config;
  const entrypoint = Entrypoint ?? Cmd ?? [];
  /** Podman knows no name for it before version 4.7. */
  const gateway = isPodman ? await bridgeGateway(client) : undefined;

  const deployments = new Map<string, Deployment>();
  /** Versions of containers that have started since this edge has. */
  const versions = new Map<string, number>();
  const listeners = new Set<() => void>();
  const onChange = (started?: string) => {
    if (started !== undefined) versions.set(started, deployments.get(keyOf(started))?.version ?? 0);
    for (const listener of listeners) listener();
  };
  const awake = await watchAwake({ client, containers, mark, onChange }, log);

  /** workerd resumes a container that runs with its sidecar, and recreates any other without its disk. */
  const resume = async ({ name, container, sidecar }: Pair): Promise<void> => {
    if (container === undefined || (container.running && sidecar?.running)) return;
    if (sidecar === undefined) {
      // Its network does not exist, so it cannot start again.
      await containers.remove(name);
      return log("containers", "lost-network", { name });
    }
    if (container.running) await containers.stop(name);
    await containers.startSidecar(name + SIDECAR_SUFFIX);
    await disks.check(name);
    await containers.start(name);
    log("containers", "resumed", { name });
  };

  const scratch = createScratch(join(directory, ".scratch"));
  const filter = isPodman ? await writeFilter(client, scratch.directory) : undefined;
  const harden = async (name: string, body: CreateBody): Promise<CreateBody> => {
    if (name.endsWith(SIDECAR_SUFFIX)) return hardenSidecar(body, abilities, { entrypoint, gateway });
    const size = deployments.get(keyOf(name))?.size;
    const disk = noDisks !== undefined || size?.diskMB === undefined ? [] : await disks.create(name, size.diskMB);
    return hardenContainer(body, abilities, { size, filter, disk });
  };
  const path = join(scratch.directory, "engine.sock");
  const hardened = await startHardenedSocket({
    ...{ socket, path, harden, log },
    remove: (name, removeContainer) => disks.remove(name, removeContainer),
  });

  return {
    address: `unix:${path}`,
    egressImage,
    image,
    description: describeEngine(main === undefined ? socket : `${main.Name} ${main.Version}`, abilities, noDisks),
    uniqueKey: (script, className) => containerKey(mark, script, className),
    isAwake(script) {
      const names = namesOf(mark, script);
      return [...awake.running.keys()].some((name) => names.test(name));
    },
    deploy(script, className, given) {
      const key = containerKey(mark, script, className);
      if (given === undefined) deployments.delete(key);
      else deployments.set(key, given);
    },
    instances(script, className) {
      const key = containerKey(mark, script, className);
      return [...awake.running].flatMap(([name, startedAt]) =>
        keyOf(name) === key ? [{ script, name, version: versions.get(name) ?? 0, startedAt }] : [],
      );
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async stopContainer(name, how) {
      if (how === "terminate") return containers.terminate(name);
      await containers.remove(name);
      await containers.remove(name + SIDECAR_SUFFIX);
    },
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
      await hardened.stop();
      removeScratch(scratch);
    },
  };
}

/** Returns the machine's address for containers. */
async function bridgeGateway(client: RealEngineClient): Promise<string | undefined> {
  const { text } = await client.expect([200], "GET", "/networks/bridge");
  return network.parse(JSON.parse(text)).IPAM.Config.find(({ Gateway }) => isIPv4(Gateway))?.Gateway;
}

/**
 * Removes the containers of an edge on a real engine, with their disks, if it used one.
 *
 * @param directory that recorded the engine
 * @throws Error when the engine fails or does not run
 */
export async function removeContainers(directory: string): Promise<void> {
  const engine = existsSync(directory) ? (lastEngine(directory) ?? PROCESSES) : PROCESSES;
  if (engine === PROCESSES) return;
  const client = new RealEngineClient(engine.replace(/^unix:/, ""));
  const disks = new VolumeDisks(client, realpathSync(directory));
  await new OwnContainers(client, engineMark(realpathSync(directory)), disks).removeAll();
}
