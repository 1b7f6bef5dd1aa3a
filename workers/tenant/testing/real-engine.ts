/** A real container engine for tests: the machine's own, or Podman's API, which is started for the tests. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ContainerEngine, findEngineSocket, RealEngineClient, startRealEngine } from "@tenantry/edge/containers";
import { eventually, TENANT_SCRIPT } from "./harness.ts";
import { buildBase, buildGateway, buildSidecar } from "./test-images.ts";

/** How long Podman keeps an ended command, with two processes, in seconds. */
const EXEC_KEPT_S = 10;

export interface RealEngine {
  client: RealEngineClient;
  /** Opens an engine of an edge. */
  open(directory: string): Promise<ContainerEngine>;
  /** Removes containers and images, and ends the service. */
  stop(): Promise<void>;
}

/** A socket and how to stop its service, or why there is none. */
type Found = { socket: string; stop: () => Promise<void> } | string;

/** Returns the machine's limits, since Podman's defaults may exceed them. */
function limits(): string[] {
  const text = readFileSync("/proc/self/limits", "utf8");
  const hard = (line: string): number => Number(new RegExp(`^${line} +\\S+ +(\\d+)`, "m").exec(text)?.[1] ?? Infinity);
  // Podman limits the number of processes to the highest process id.
  const processes = Math.min(hard("Max processes"), Number(readFileSync("/proc/sys/kernel/pid_max", "utf8")));
  return Object.entries({ nofile: hard("Max open files"), nproc: processes }).flatMap(([name, limit]) =>
    Number.isFinite(limit) ? [`"${name}=${limit}:${limit}"`] : [],
  );
}

/** Kills processes that Podman keeps for ended commands, since they would recreate its directories. */
function killProcesses(directory: string): void {
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      if (readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(`${directory}/`)) process.kill(Number(pid), "SIGKILL");
    } catch {
      // It has already ended.
    }
  }
}

async function servePodman(): Promise<Found> {
  try {
    execFileSync("podman", ["--version"], { stdio: "ignore" });
  } catch {
    return "no container engine responds, and Podman is not installed";
  }
  const directory = mkdtempSync(join(tmpdir(), "tenantry-podman-"));
  const socket = join(directory, "podman.sock");
  const settings = join(directory, "containers.conf");
  writeFileSync(
    settings,
    `[containers]\ndefault_ulimits = [${limits().join(", ")}]\n[engine]\nevents_logger = "file"\nexit_command_delay = ${EXEC_KEPT_S}\n`,
  );
  const own = ["--root", join(directory, "storage"), "--runroot", join(directory, "run")];
  const service = spawn("podman", [...own, "system", "service", "--time=0", `unix://${socket}`], {
    env: { ...process.env, CONTAINERS_CONF: settings },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  service.stderr.setEncoding("utf8").on("data", (text: string) => {
    said = (said + text).slice(-1_000);
  });
  const ended = once(service, "exit");
  const stop = async () => {
    service.kill();
    await ended;
    killProcesses(directory);
    const mounts = readFileSync("/proc/mounts", "utf8")
      .split("\n")
      .map((line) => line.split(" ")[1] ?? "");
    for (const mount of mounts.toReversed()) if (mount.startsWith(`${directory}/`)) execFileSync("umount", [mount]);
    rmSync(directory, { recursive: true, force: true });
  };
  const client = new RealEngineClient(socket);
  const answers = () =>
    client.call("GET", "/_ping", { timeoutMs: 5_000 }).then(
      ({ status }) => status === 200,
      () => false,
    );
  try {
    await eventually(async () => service.exitCode !== null || (await answers()));
    if (service.exitCode === null) return { socket, stop };
  } catch {
    // Reported below.
  }
  await stop();
  return `Podman does not serve its API: ${said.trim()}`;
}

/** Checks whether the engine can run a container. @returns why not */
async function fault(client: RealEngineClient, image: string): Promise<string | undefined> {
  const name = `tenantry-test-${process.pid}`;
  try {
    const body = { Image: image, HostConfig: { NetworkMode: "bridge" } };
    await client.expect([201], "POST", "/containers/create", { query: { name }, body });
    await client.expect([204], "POST", `/containers/${name}/start`);
    return undefined;
  } catch (error) {
    return `the engine cannot run a container: ${error instanceof Error ? error.message : error}`;
  } finally {
    await client.call("DELETE", `/containers/${name}`, { query: { force: "true" } });
  }
}

/** @returns the reason when no engine is available */
export async function findRealEngine(): Promise<RealEngine | string> {
  if (process.platform !== "linux") return "the test images contain this machine's programs, which requires Linux";
  const found = await findEngineSocket().then((socket): Found => ({ socket, stop: async () => {} }), servePodman);
  if (typeof found === "string") return found;
  const { socket } = found;
  const client = new RealEngineClient(socket);
  const mark = String(process.pid);
  const images: string[] = [];
  const opened: ContainerEngine[] = [];
  const stop = async () => {
    for (const engine of opened) await engine.end(TENANT_SCRIPT);
    for (const image of images) await client.call("DELETE", `/images/${image}`, { query: { force: "true" } });
    await found.stop();
  };
  try {
    const base = await buildBase(client, mark);
    images.unshift(base);
    const why = await fault(client, base);
    if (why !== undefined) {
      await stop();
      return why;
    }
    const gateway = await buildGateway(client, mark, base);
    images.unshift(...gateway);
    const [image = ""] = gateway;
    const egressImage = await buildSidecar(client, mark, base);
    images.unshift(egressImage);
    const open = async (directory: string): Promise<ContainerEngine> => {
      const engine = await startRealEngine({ directory, socket, image, egressImage, log: () => {} });
      opened.push(engine);
      return engine;
    };
    return { client, open, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
