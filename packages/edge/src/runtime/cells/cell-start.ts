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
 * Starts the cell of a script: its containers as an earlier edge left them, then a workerd.
 *
 * @param onEnd called when the process has ended by itself or has exceeded its CPU limit
 * @throws Error with workerd's message when it does not start
 */
export async function startCell(script: ScriptRecord, o: ProcessOptions, onEnd: (cell: Cell) => void): Promise<Cell> {
  const { containers, scratch, directory, hub, log } = o;
  await mkdir(directory, { recursive: true, mode: 0o700 });
  if (script.namespace !== undefined && script.containers.length > 0)
    await containers.ready({ namespace: script.namespace, name: script.name });
  const secret = socketSecret();
  const around = { ...o, secret, neighbours: new Set<string>() };
  const fingerprint = scriptFingerprint(o, script);
  let cell: Cell | undefined;
  const workerd = await startWorkerd({
    scratch,
    log,
    label: script.id,
    onCrash: () => {
      if (cell !== undefined) onEnd(cell);
    },
    options: {
      durableObjectsPersist: directory,
      workers: [
        workerOptions(script, around),
        ...gateWorkers(script, around),
        dispatcherWorker(hub),
        unavailableWorker(),
      ],
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
      onEnd(started);
    },
  });
  cell = started;
  log("runtime", "cell-started", { script: script.id, pid: workerd.pid });
  return started;
}
