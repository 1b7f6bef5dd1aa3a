/** Starts a script's cell: its containers as an earlier edge left them, then a workerd of its own. */
import { mkdir } from "node:fs/promises";
import { dispatcherWorker } from "../../cloudflare/kinds/dispatch-namespaces/dispatcher.ts";
import type { ScriptRecord } from "../../cloudflare/kinds/scripts/record.ts";
import { gateWorkers } from "../assets/gate.ts";
import { scriptFingerprint } from "../worker/fingerprint.ts";
import { workerOptions } from "../worker/options.ts";
import { unavailableWorker } from "../worker/unavailable.ts";
import type { ProcessOptions } from "../workerd/process-options.ts";
import { startWorkerd } from "../workerd/workerd.ts";
import { Cell, socketSecret } from "./cell.ts";
import { DEFAULT_CPU_MS } from "./cpu-limit.ts";

/**
 * @param ended called when the cell's process has ended by itself, or has used up what an invocation may
 * @throws Error with workerd's words when it cannot start
 */
export async function startCell(script: ScriptRecord, o: ProcessOptions, ended: (cell: Cell) => void): Promise<Cell> {
  const { store, storage, containers, scratch, directory, hyperdrive, hub, frontPort, domain, log } = o;
  await mkdir(directory, { recursive: true, mode: 0o700 });
  if (script.namespace !== undefined && script.containers.length > 0)
    await containers.ready({ namespace: script.namespace, name: script.name });
  const secret = socketSecret();
  const fingerprint = scriptFingerprint(store, script);
  const neighbours: ReadonlySet<string> = new Set();
  const around = { store, storage, containers, hyperdrive, hub, frontPort, domain, secret, neighbours };
  const worker = workerOptions(script, around);
  let cell: Cell | undefined;
  const workerd = await startWorkerd({
    scratch,
    log,
    label: script.id,
    onCrash: () => {
      if (cell !== undefined) ended(cell);
    },
    options: {
      durableObjectsPersist: directory,
      workers: [worker, ...gateWorkers(script, around), dispatcherWorker(hub), unavailableWorker()],
    },
  });
  const started: Cell = new Cell({
    fingerprint,
    workerd,
    port: await workerd.port(script.name),
    secret,
    cpuMs: script.limits.cpu_ms ?? DEFAULT_CPU_MS,
    onExceeded: () => {
      log("runtime", "cpu-limit", { script: script.id });
      ended(started);
    },
  });
  cell = started;
  log("runtime", "cell-started", { script: script.id, pid: workerd.pid });
  return started;
}
