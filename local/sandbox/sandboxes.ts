/** The sandboxes of the local edge: one supervisor a tenant script, started when first asked for. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Log } from "../log.ts";
import { startEgress, type WayToScript } from "./egress.ts";
import { endProcesses } from "./processes.ts";
import { Sandbox } from "./sandbox.ts";
import { type Supervisor, startSupervisor } from "./supervisor.ts";

export interface Sandboxes {
  /** The unix socket where the sandbox of a namespaced script is served; starts its supervisor when needed. */
  socket(script: { namespace: string; name: string; className: string }): Promise<string>;
  /** Whether the script's sandbox is up; one that sleeps, or was never started, is not. */
  isAwake(script: { namespace: string; name: string }): boolean;
  /** Ends the script's processes and empties its disk, as the end of its container does; whoever has its socket keeps it. */
  empty(script: { namespace: string; name: string }): Promise<void>;
  /** Ends the script's processes and removes its directory. */
  destroy(script: { namespace: string; name: string }): Promise<void>;
  /** Says how scripts are reached from their sandboxes; before that they are not. */
  open(way: WayToScript): void;
  /** Ends every process of every sandbox; what they keep stays. */
  stop(): Promise<void>;
}

export interface SandboxesOptions {
  /** Where each sandbox's directory lies, as `{namespace}/{script}`; made if missing. */
  directory: string;
  /** The startup script of the container image: a Node program. */
  startScript: string;
  /** Command and arguments of the gateway; `{port}` and `{bind}` are replaced. */
  gatewayCommand: string[];
  log: Log;
}

interface Entry {
  root: string;
  sandbox: Sandbox;
  supervisor: Promise<Supervisor>;
}

const NAME = /^[a-z0-9][a-z0-9_.-]*$/i;

function startGuard(directory: string, sockets: string): ChildProcess {
  const guard = spawn(process.execPath, [join(import.meta.dirname, "guard.ts"), directory, sockets], {
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

/**
 * Starts the guard that ends every process when the edge dies, and ends what an earlier edge left on this directory.
 *
 * @throws Error when processes of an earlier edge cannot be ended
 */
export async function startSandboxes(options: SandboxesOptions): Promise<Sandboxes> {
  mkdirSync(options.directory, { recursive: true, mode: 0o700 });
  const directory = realpathSync(options.directory);
  await endProcesses(directory, 0);
  // A unix socket's path holds 107 bytes, and the state directory may lie anywhere.
  const sockets = mkdtempSync(join(tmpdir(), "tenantry-"));
  const guard = startGuard(directory, sockets);
  const egress = await startEgress(options.log);
  const entries = new Map<string, Entry>();
  let count = 0;
  let stopped = false;

  const open = (key: string, root: string, metricsEndpoint: string): Entry => {
    const { startScript, gatewayCommand, log } = options;
    const sandbox = new Sandbox({ root, startScript, gatewayCommand, metricsEndpoint, log });
    count += 1;
    const supervisor = startSupervisor(sandbox, join(sockets, `${count}.sock`), log);
    const entry = { root, sandbox, supervisor };
    entries.set(key, entry);
    // A supervisor that could not start is tried anew by the next call.
    supervisor.catch(() => entries.delete(key));
    return entry;
  };

  const close = async (entry: Entry): Promise<void> => {
    await (await entry.supervisor).stop();
    await entry.sandbox.close();
  };

  const locate = ({ namespace, name }: { namespace: string; name: string }): { key: string; root: string } => {
    if (!NAME.test(namespace) || !NAME.test(name)) throw new Error(`"${namespace}/${name}" cannot name a sandbox`);
    return { key: `${namespace}/${name}`, root: join(directory, namespace, name) };
  };

  const remove = async (root: string): Promise<void> => {
    await endProcesses(root, 0);
    rmSync(root, { recursive: true, force: true });
  };

  return {
    async socket(script) {
      if (stopped) throw new Error("the sandboxes are stopped");
      const { key, root } = locate(script);
      return (await (entries.get(key) ?? open(key, root, egress.address(script))).supervisor).socket;
    },
    isAwake: (script) => entries.get(locate(script).key)?.sandbox.meter !== undefined,
    async empty(script) {
      const { key, root } = locate(script);
      const entry = entries.get(key);
      if (entry === undefined) await remove(root);
      else await entry.sandbox.sleep();
    },
    async destroy(script) {
      const { key, root } = locate(script);
      const entry = entries.get(key);
      entries.delete(key);
      if (entry !== undefined) await close(entry);
      await remove(root);
    },
    open: (way) => egress.open(way),
    async stop() {
      if (stopped) return;
      stopped = true;
      await Promise.all([...entries.values()].map(close));
      entries.clear();
      await egress.stop();
      const ended = guard.exitCode !== null || guard.signalCode !== null ? undefined : once(guard, "exit");
      guard.ref();
      guard.stdin?.end();
      await ended;
    },
  };
}
