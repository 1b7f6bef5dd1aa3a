/** A container engine for workerd that runs plain processes of this machine, each container's in namespaces of its own. */
import { type ChildProcess, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { Socket } from "node:net";
import { delimiter, dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "@tenantry/std/free-port";
import { closeAndCut, listen } from "@tenantry/std/listening";
import type { Log } from "@tenantry/std/log";
import * as z from "zod";
import { createScratch, removeScratch } from "../runtime/workerd/workerd.ts";
import { commandPaths } from "./command-paths.ts";
import { type Confinement, probeConfinement } from "./confinement.ts";
import { Container, type ContainerRecord } from "./container.ts";
import { type Containers, createEngineServer } from "./engine-api.ts";
import { imageVariables } from "./images.ts";
import { lastEngine, PROCESSES, rememberEngine } from "./last-engine.ts";
import { containerKey, engineMark, type ScriptName, SIDECAR_SUFFIX } from "./names.ts";
import { type Sidecar, startSidecar } from "./network/sidecar.ts";
import { startWaysOut } from "./network/ways-out.ts";
import type { ProcessImage } from "./process-image.ts";
import { endProcesses } from "./processes.ts";

/** What runs the containers of the account's scripts. */
export interface ContainerEngine {
  /** Address of its API, as workerd takes it. */
  readonly address: string;
  /** Image of the sidecar through which workerd reaches a container. */
  readonly egressImage: string;
  /** The image that applications must name; `undefined` where any name will do. */
  readonly image: string | undefined;
  /** How a user of the edge is told what keeps containers apart. */
  readonly description: string;
  /** What the ids of a class with containers are made from; workerd names its containers after it. */
  uniqueKey(script: ScriptName, className: string): string;
  /** Whether a container of a script runs. */
  isAwake(script: ScriptName): boolean;
  /** Brings a script's containers back as an earlier edge left them; before the script starts. */
  ready(script: ScriptName): Promise<void>;
  /** Ends a script's containers, and their disks with them; the next call that needs one starts anew. */
  end(script: ScriptName): Promise<void>;
  /** Ends every container; those that ran run again when they are next asked for, on the disks they had. */
  stop(): Promise<void>;
}

/** An engine whose containers are plain processes. */
export interface ProcessEngine extends ContainerEngine {
  /** Marks the processes of its containers, each in its own way. */
  readonly marker: string;
}

export interface ContainerEngineOptions {
  /** Where each container's directory lies, as `{namespace}/{script}/{id}`; made if missing. */
  directory: string;
  /** What each container is made of. */
  image: ProcessImage;
  /** File that tells images apart, see `images.ts`. Default: all are alike. */
  images?: string | undefined;
  /** Default: as far as this machine allows. */
  confinement?: Confinement | undefined;
  /** Hears of all scripts that have a running container, whenever one starts or ends. */
  onAwake?: (scripts: ScriptName[]) => void;
  log: Log;
}

/** Variables of the edge that a container's processes see; everything else is left out. */
const INHERITED = ["LANG", "LC_ALL", "TZ", "NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE"];
/** Below those that Linux gives out (`ip_local_port_range`); the end excluded. */
const PORTS = [20_000, 32_768] as const;
const SYSTEM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/**
 * A port that the system gives to nobody by itself, so that no other program is behind it when the container's is gone.
 *
 * @param taken by containers that may not run now
 */
async function containerPort(taken: ReadonlySet<number>): Promise<number> {
  for (;;) {
    const port = await freePort(randomInt(...PORTS));
    if (!taken.has(port)) return port;
  }
}

/** The command that a variable holds, or none: the program that reads the variable reports what is wrong with it. */
function commandOf(variable = "[]"): string[] {
  try {
    return z.array(z.string()).parse(JSON.parse(variable));
  } catch {
    return [];
  }
}

const mapValues = (record: Record<string, string>, change: (value: string) => string): Record<string, string> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));

/** An image with a main command of its own, the first of `commands`, has none of the process image's. Its other commands count with that one only. */
function imageVariablesOver(
  { variables, commands }: ProcessImage,
  imageEnv: Record<string, string>,
): { variables: Record<string, string>; others: Record<string, string> } {
  const isCommand = (name: string) => commands.includes(name);
  const pick = (from: Record<string, string>, wanted: (name: string) => boolean) =>
    Object.fromEntries(Object.entries(from).filter(([name]) => wanted(name)));
  const isOwn = commands.slice(0, 1).some((name) => name in imageEnv);
  const kept = isOwn ? { ...pick(variables, (name) => !isCommand(name)), ...pick(imageEnv, isCommand) } : variables;
  return { variables: kept, others: pick(imageEnv, (name) => !isCommand(name)) };
}

function startGuard(marker: string): ChildProcess {
  const guard = spawn(process.execPath, [fileURLToPath(new URL("guard.ts", import.meta.url)), marker], {
    detached: true,
    cwd: "/",
    env: { PATH: process.env.PATH },
    stdio: ["pipe", "ignore", "ignore"],
  });
  guard.unref();
  // Without this the open pipe would keep the edge's event loop alive.
  if (guard.stdin instanceof Socket) guard.stdin.unref();
  return guard;
}

/** Starts the engine, and ends what an earlier edge left on this directory. */
export async function startContainerEngine(options: ContainerEngineOptions): Promise<ProcessEngine> {
  const { image: processImage, log } = options;
  const { scripts } = processImage;
  mkdirSync(options.directory, { recursive: true, mode: 0o700 });
  const directory = realpathSync(options.directory);
  const confinement = options.confinement ?? (await probeConfinement(processImage));
  const confined = confinement.kind === "namespaces";
  const engineMarker = engineMark(directory);
  await endProcesses(engineMarker);
  if ((lastEngine(directory) ?? PROCESSES) !== PROCESSES) {
    for (const name of readdirSync(directory)) rmSync(join(directory, name), { recursive: true });
  }
  rememberEngine(directory, PROCESSES);
  const guard = confined ? undefined : startGuard(engineMarker);
  const scratch = createScratch(join(directory, ".scratch"));

  const scriptsByKey = new Map<string, ScriptName>();
  const containers = new Map<string, Container>();
  const resuming = new Map<string, Promise<Container | undefined>>();
  const sidecars = new Map<string, Sidecar>();
  const ports = new Map<string, number>();
  const waysOut = await startWaysOut((name) => sidecars.get(name + SIDECAR_SUFFIX)?.egressPort, log);
  let stopped = false;

  const awake = (): ScriptName[] =>
    [...containers.values()].flatMap((one) => {
      const [namespace = "", name = ""] = relative(directory, one.directory).split(sep);
      return one.running ? [{ namespace, name }] : [];
    });

  const place = (name: string): string => {
    const [, key = "", id = ""] = /^workerd-(.+)-([0-9a-f]{64})$/.exec(name) ?? [];
    const script = scriptsByKey.get(key);
    if (script === undefined) throw new Error(`${name} is no container of the account's`);
    return join(directory, script.namespace, script.name, id);
  };

  const open = async (at: string, record: ContainerRecord): Promise<Container> => {
    const { name } = record;
    const port = ports.get(name) ?? (await containerPort(new Set(ports.values())));
    ports.set(name, port);
    const inherited = Object.fromEntries(
      INHERITED.flatMap((variable) => {
        const value = process.env[variable];
        return value === undefined ? [] : [[variable, value]];
      }),
    );
    const path = confined ? SYSTEM_PATH : process.env.PATH;
    const { variables, others } = imageVariablesOver(processImage, record.imageEnv ?? {});
    const container = new Container(record, {
      directory: at,
      marker: `${engineMarker}/${name}`,
      confinement,
      image: processImage,
      // Each path is a mount of its own.
      visible: [
        ...new Set(
          processImage.commands.flatMap((name) =>
            commandPaths(commandOf(variables[name]), { hidden: directory, scripts }),
          ),
        ),
      ],
      onChange: () => options.onAwake?.(awake()),
      base: { ...inherited, PATH: [dirname(process.execPath), path].join(delimiter), ...others },
      fixed: {
        ...variables,
        [processImage.port.variable]: String(port),
        ...mapValues(processImage.hosts, (url) => waysOut.address(name, new URL(url))),
      },
    });
    containers.set(name, container);
    return container;
  };

  /** Takes up a container that ran when an earlier edge ended. */
  const resume = async (name: string): Promise<Container | undefined> => {
    const at = place(name);
    const record = Container.read(at);
    if (record === undefined || record.name !== name) return undefined;
    const container = await open(at, record);
    if (record.running) {
      await container.start();
      await served.createSidecar(name + SIDECAR_SUFFIX);
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
    async create(name, { image, env, command }) {
      if (stopped) throw new Error("the engine is stopped");
      log("containers", "created", { name, image });
      const imageEnv = options.images === undefined ? undefined : imageVariables(options.images, image);
      return open(place(name), {
        ...{ name, image, env, running: false },
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
    async createSidecar(name) {
      const of = name.slice(0, -SIDECAR_SUFFIX.length);
      sidecars.set(
        name,
        await startSidecar((port) =>
          port === processImage.port.number && containers.get(of)?.running === true ? ports.get(of) : undefined,
        ),
      );
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
    egressImage: "tenantry/sidecar",
    image: undefined,
    marker: engineMarker,
    description: confined
      ? "Each container runs in namespaces of its own."
      : `Containers are not confined: ${confinement.reason}. They run as plain processes of yours.`,
    uniqueKey(script, className) {
      const key = containerKey(engineMarker, script, className);
      scriptsByKey.set(key, script);
      return key;
    },
    isAwake: (script) => awake().some(({ namespace, name }) => namespace === script.namespace && name === script.name),
    // A container runs again when it is first asked for.
    ready: async () => {},
    async end({ namespace, name }) {
      const at = join(directory, namespace, name);
      for (const id of existsSync(at) ? readdirSync(at) : []) {
        const record = Container.read(join(at, id));
        if (record === undefined) continue;
        const container = containers.get(record.name) ?? (await open(join(at, id), record));
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
      await waysOut.stop();
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
