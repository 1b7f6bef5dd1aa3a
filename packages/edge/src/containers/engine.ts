import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { Socket } from "node:net";
import { delimiter, dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { closeAndCut, listen } from "@tenantry/std/listening";
import type { Log } from "@tenantry/std/log";
import { createScratch, removeScratch } from "../runtime/workerd/workerd.ts";
import { commandPaths, parseCommand } from "./command-paths.ts";
import { Container } from "./container.ts";
import {
  type Deployment,
  type Instance,
  isOf,
  NO_APPLICATION_MESSAGE,
  NO_INSTANCE_MESSAGE,
  StartRefused,
} from "./deployments.ts";
import { type Containers, createEngineServer } from "./engine-api.ts";
import { ImageRegistry } from "./images.ts";
import { Cgroups } from "./isolation/cgroups.ts";
import { type Confinement, probeConfinement } from "./isolation/confinement.ts";
import { describeIsolation } from "./isolation/description.ts";
import { probeDisks } from "./isolation/disks.ts";
import { endProcesses } from "./isolation/processes.ts";
import { chooseRange } from "./isolation/users.ts";
import { lastEngine, PROCESSES, rememberEngine } from "./last-engine.ts";
import { containerKey, DEPLOYED, engineMark, keyOf, type ScriptName, SIDECAR_SUFFIX } from "./names.ts";
import { startEgress } from "./network/egress.ts";
import { Internet, type StandIns } from "./network/names/internet.ts";
import { openNetwork } from "./network/open-network.ts";
import { ContainerPorts } from "./network/ports.ts";
import { type NetworkIsolation, type NetworkKind, probeNetwork } from "./network/probe.ts";
import { connectLoopback, type Sidecar, startSidecar } from "./network/sidecar.ts";
import { mergeVariables, type ProcessImage } from "./process-image.ts";
import { type ContainerRecord, readRecord, recordsOf, removeLeftovers } from "./records.ts";

export interface ContainerEngine {
  /** Address of its API in workerd's form. */
  readonly address: string;
  /** Image of the sidecar by which workerd reaches a container. */
  readonly egressImage: string;
  /** The image that applications must name; `undefined` when each application has its own. */
  readonly image: string | undefined;
  /** States for users how containers are isolated. */
  readonly description: string;
  /** Returns the seed of the ids of a class with containers. workerd names its containers after it. */
  uniqueKey(script: ScriptName, className: string): string;
  isAwake(script: ScriptName): boolean;
  /** Sets what the containers of a class get that start from now on; with `undefined`, none starts. */
  deploy(script: ScriptName, className: string, deployment: Deployment | undefined): void;
  /** Returns the running containers of a class. */
  instances(script: ScriptName, className: string): Instance[];
  /** Calls `listener` after a container has started or ended. @returns a function that unsubscribes */
  onChange(listener: () => void): () => void;
  /** Sends SIGTERM to a container, or removes it with its disk. Without effect when it does not exist. */
  stopContainer(name: string, how: "terminate" | "remove"): Promise<void>;
  /** Resumes the containers of a script. Call it before the script starts. */
  ready(script: ScriptName): Promise<void>;
  /** Removes the containers of a script and their disks. */
  end(script: ScriptName): Promise<void>;
  /** Ends every container. Those that ran resume at the next call, on their disks. */
  stop(): Promise<void>;
}

export interface ProcessEngine extends ContainerEngine {
  /** Prefix of the markers of its containers' processes. */
  readonly marker: string;
}

export interface ContainerEngineOptions {
  /** Has the directory of each container in `{namespace}/{script}/{id}`. Created when missing. */
  directory: string;
  image: ProcessImage;
  /** File of images, see `images.ts`. Default: none */
  images?: string | undefined;
  /** Other images that can be pulled. Default: any image */
  pushed?: readonly string[] | undefined;
  /** Default: namespaces when this machine allows them. */
  confinement?: Confinement | undefined;
  /** `own`: each confined container has its own network, when this machine allows it. Default: `own` */
  network?: NetworkKind | undefined;
  /** Hosts of the internet that containers reach on this machine. Default: none */
  internet?: StandIns | undefined;
  /** Called with all running containers when one starts or ends. */
  onChange?: (instances: Instance[]) => void;
  log: Log;
}

const INHERITED = ["LANG", "LC_ALL", "TZ", "NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE"];
const SYSTEM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

function startGuard(marker: string): ChildProcess {
  const guard = spawn(process.execPath, [fileURLToPath(new URL("guard.ts", import.meta.url)), marker], {
    detached: true,
    cwd: "/",
    env: { PATH: process.env.PATH },
    stdio: ["pipe", "ignore", "ignore"],
  });
  guard.unref();
  // The open pipe would keep the edge's event loop alive.
  if (guard.stdin instanceof Socket) guard.stdin.unref();
  return guard;
}

/** Starts an engine of plain processes, in namespaces if possible. Ends processes that an earlier edge left for this directory. */
export async function startContainerEngine(options: ContainerEngineOptions): Promise<ProcessEngine> {
  const { image: processImage, log } = options;
  const { scripts } = processImage;
  mkdirSync(options.directory, { recursive: true, mode: 0o700 });
  const directory = realpathSync(options.directory);
  const confinement = options.confinement ?? (await probeConfinement(processImage));
  const confined = confinement.kind === "namespaces";
  const network: NetworkIsolation =
    confined && options.network !== "shared" ? await probeNetwork() : { kind: "shared", reason: undefined };
  const disks = await probeDisks(confined);
  const internet = new Internet(options.internet);
  const engineMarker = engineMark(directory);
  await endProcesses(engineMarker);
  if ((lastEngine(directory) ?? PROCESSES) !== PROCESSES) {
    for (const name of readdirSync(directory)) rmSync(join(directory, name), { recursive: true });
  }
  rememberEngine(directory, PROCESSES);
  removeLeftovers(directory);
  const cgroups = confined ? new Cgroups(join(directory, ".cgroups"), engineMarker) : undefined;
  const guard = confined ? undefined : startGuard(engineMarker);
  const scratch = createScratch(join(directory, ".scratch"));

  const scriptsByKey = new Map<string, ScriptName>();
  const deployments = new Map<string, Deployment>();
  const registry = new ImageRegistry({ file: options.images, pushed: options.pushed });
  const listeners = new Set<() => void>();
  const containers = new Map<string, Container>();
  const resuming = new Map<string, Promise<Container | undefined>>();
  const sidecars = new Map<string, Sidecar>();
  const ports = new ContainerPorts();
  const egress = await startEgress((name) => sidecars.get(name + SIDECAR_SUFFIX)?.egressPort, log);
  let stopped = false;
  let firstIds: Set<number> | undefined;

  /** Reads the records of all containers once, because one that was never started by this engine may resume. */
  const chooseIds = (name: string): number => {
    firstIds ??= new Set(recordsOf(directory).flatMap(({ firstId }) => firstId ?? []));
    const first = chooseRange(`${engineMarker}/${name}`, firstIds);
    firstIds.add(first);
    return first;
  };

  const running = (): Instance[] =>
    [...containers.values()].flatMap((container) => {
      const [namespace = "", script = ""] = relative(directory, container.directory).split(sep);
      const { name, version } = container.record;
      return container.running
        ? [{ script: { namespace, name: script }, name, version, startedAt: container.startedAt }]
        : [];
    });

  const directoryOf = (name: string): string => {
    const script = scriptsByKey.get(keyOf(name));
    if (script === undefined) throw new Error(`${name} does not belong to a script of the account`);
    return join(directory, script.namespace, script.name, name.slice(-64));
  };

  /** @throws StartRefused when no container may start */
  const deploymentOf = (name: string, image: string): Deployment => {
    if (image !== DEPLOYED) return { image, version: 0 };
    const found = deployments.get(keyOf(name));
    if (found === undefined) throw new StartRefused(NO_APPLICATION_MESSAGE);
    if (options.pushed !== undefined && !registry.has(found.image)) {
      log("containers", "image-not-pulled", { name, image: found.image });
      throw new StartRefused(NO_INSTANCE_MESSAGE);
    }
    return found;
  };

  const open = (at: string, record: ContainerRecord): Container => {
    const { name } = record;
    const inherited: Record<string, string> = {};
    for (const variable of INHERITED) {
      const value = process.env[variable];
      if (value !== undefined) inherited[variable] = value;
    }
    const path = confined ? SYSTEM_PATH : process.env.PATH;
    const { variables, others } = mergeVariables(processImage, record.imageEnv ?? {});
    const visible = processImage.commands.flatMap((command) =>
      commandPaths(parseCommand(variables[command]), { hidden: directory, scripts }),
    );
    const ownNetwork = network.kind === "own";
    const hosts = ownNetwork
      ? processImage.hosts
      : Object.fromEntries(
          Object.entries(processImage.hosts).map(([host, url]) => [host, egress.address(name, new URL(url))]),
        );
    const container = new Container(record, {
      directory: at,
      marker: `${engineMarker}/${name}`,
      confinement,
      cgroups,
      disks,
      chooseIds: () => chooseIds(name),
      image: processImage,
      visible: [...new Set(visible)],
      openNetwork: ownNetwork ? () => openNetwork(internet, () => sidecars.get(name + SIDECAR_SUFFIX)) : undefined,
      onChange: () => {
        options.onChange?.(running());
        for (const listener of listeners) listener();
      },
      base: { ...inherited, PATH: [dirname(process.execPath), path].join(delimiter), ...others },
      fixed: async () => ({
        ...variables,
        [processImage.port.variable]: String(ownNetwork ? processImage.port.number : await ports.choose(name)),
        ...hosts,
      }),
    });
    containers.set(name, container);
    return container;
  };

  /** Resumes a container that ran when an earlier edge ended. */
  const resume = async (name: string): Promise<Container | undefined> => {
    const at = directoryOf(name);
    const record = readRecord(at);
    if (record === undefined || record.name !== name) return undefined;
    const container = open(at, record);
    if (record.running) {
      await served.createSidecar(name + SIDECAR_SUFFIX, record.internet);
      await container.start();
      log("containers", "resumed", { name });
    }
    return container;
  };

  const served: Containers = {
    find(name) {
      const known = containers.get(name);
      if (known !== undefined) return Promise.resolve(known);
      const resumed = resuming.get(name) ?? resume(name).finally(() => resuming.delete(name));
      resuming.set(name, resumed);
      return resumed;
    },
    async create(name, { image: given, env, command }) {
      if (stopped) throw new Error("the engine is stopped");
      const { image, version, size } = deploymentOf(name, given);
      log("containers", "created", { name, image });
      const imageEnv = registry.variables(image);
      const internet = sidecars.get(name + SIDECAR_SUFFIX)?.rules.internet ?? false;
      return open(directoryOf(name), {
        ...{ name, image, version, env, internet, running: false },
        ...(size && { size }),
        ...(imageEnv && { imageEnv }),
        ...(command && { command }),
      });
    },
    async remove(name) {
      const container = await served.find(name);
      if (container === undefined) return false;
      await container.remove();
      containers.delete(name);
      log("containers", "removed", { name });
      return true;
    },
    sidecar: async (name) => sidecars.get(name),
    async createSidecar(name, mayReachInternet) {
      const of = name.slice(0, -SIDECAR_SUFFIX.length);
      const connectTo = (port: number) => {
        const container = containers.get(of);
        if (network.kind === "own") return container?.connect(port);
        const shared = port === processImage.port.number && container?.running === true ? ports.get(of) : undefined;
        return shared === undefined ? undefined : connectLoopback(shared);
      };
      sidecars.set(name, await startSidecar(connectTo, { internet: mayReachInternet }));
    },
    async removeSidecar(name) {
      const sidecar = sidecars.get(name);
      sidecars.delete(name);
      await sidecar?.stop();
      return sidecar !== undefined;
    },
  };

  const server = createEngineServer(served, log);
  const path = join(scratch.directory, "engine.sock");
  await listen(server, { path });

  return {
    address: `unix:${path}`,
    egressImage: "edge/sidecar",
    image: undefined,
    marker: engineMarker,
    description: describeIsolation({ confinement, limited: cgroups?.controllers ?? [], network, disks }),
    uniqueKey(script, className) {
      const key = containerKey(engineMarker, script, className);
      scriptsByKey.set(key, script);
      return key;
    },
    isAwake: (script) => running().some((one) => isOf(script, one)),
    deploy(script, className, given) {
      const key = containerKey(engineMarker, script, className);
      if (given === undefined) deployments.delete(key);
      else deployments.set(key, given);
    },
    instances(script, className) {
      const key = containerKey(engineMarker, script, className);
      return running().filter(({ name }) => keyOf(name) === key);
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async stopContainer(name, how) {
      if (how === "terminate") await containers.get(name)?.terminate();
      else await served.remove(name);
    },
    // A container resumes at the first call.
    ready: async () => {},
    async end({ namespace, name }) {
      const at = join(directory, namespace, name);
      for (const id of existsSync(at) ? readdirSync(at) : []) {
        const record = readRecord(join(at, id));
        if (record === undefined) continue;
        const container = containers.get(record.name) ?? open(join(at, id), record);
        await container.remove();
        containers.delete(record.name);
      }
      rmSync(at, { recursive: true, force: true });
    },
    async stop() {
      if (stopped) return;
      stopped = true;
      await Promise.all([...containers.values()].map((container) => container.suspend()));
      await Promise.all([...sidecars.values()].map((sidecar) => sidecar.stop()));
      await egress.stop();
      await cgroups?.close();
      void closeAndCut(server);
      removeScratch(scratch);
      if (guard === undefined) return;
      const ended = guard.exitCode !== null || guard.signalCode !== null ? undefined : once(guard, "exit");
      guard.ref();
      guard.stdin?.end();
      await ended;
    },
  };
}
