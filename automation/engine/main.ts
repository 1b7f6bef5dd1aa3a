/** Process of one run: the stack's program, the engine and its plugins. It ends with the process that started it. */
import "./sdk-on-demand.ts";
import type { ChildProcess } from "node:child_process";
import { subscribe } from "node:diagnostics_channel";
import stackProgram from "#index.ts";
import { ADOPT_BUCKETS_VARIABLE, KEPT_BACKUPS_VARIABLE, TENANT_BUNDLE_VARIABLE } from "#stack/settings/run-flags.ts";
import { message, type Report, type StackOrder } from "./order.ts";
import { engineFault } from "./run/fault.ts";
import { runStack, StackLocked } from "./run/stack-run.ts";

const LOCKING = new Set(["up", "destroy", "refresh"]);
const BUCKET = "cloudflare:index/r2Bucket:R2Bucket";

const ended = new AbortController();

function sendReport(sent: Report): Promise<void> {
  return new Promise((resolve) => process.send?.(sent, () => resolve()));
}

/** @param held types of the stack's resources */
function variablesFor(
  { adoptBucketOf, useKeptBackups = false, tenantBundle }: StackOrder,
  held: ReadonlySet<string>,
): NodeJS.ProcessEnv {
  return {
    ...process.env,
    ...(adoptBucketOf !== undefined &&
      !held.has(BUCKET) && {
        [ADOPT_BUCKETS_VARIABLE]: adoptBucketOf,
        ...(useKeptBackups && { [KEPT_BACKUPS_VARIABLE]: adoptBucketOf }),
      }),
    ...(tenantBundle !== undefined && { [TENANT_BUNDLE_VARIABLE]: tenantBundle }),
  };
}

async function carryOut(order: StackOrder): Promise<void> {
  try {
    await runStack(order, {
      // A stack without a bucket adopts the earlier bucket of its client.
      program: (held) => stackProgram(variablesFor(order, held)),
      variables: process.env,
      onStep: (step) => void sendReport({ kind: "step", step }),
      onChange: (change) => void sendReport({ kind: "change", change }),
      onRecovered: (what) => void sendReport({ kind: "recovered", what }),
      signal: ended.signal,
    });
    await sendReport({ kind: "done" });
  } catch (error) {
    const why = ended.signal.aborted ? "ended" : error instanceof StackLocked ? "locked" : "fault";
    await sendReport({ kind: "failed", why, message: engineFault(error) });
  }
  process.exit();
}

/** Reports each engine process that takes a stack's lock, also those that the SDK starts. */
function lockingEngines(onStart: (pid: number) => void): void {
  subscribe("child_process", (message) => {
    const { process: child } = message as { process: ChildProcess };
    child.once("spawn", () => {
      const [command = "", operation = ""] = child.spawnargs;
      if (child.pid !== undefined && /(^|\/)pulumi$/.test(command) && LOCKING.has(operation)) onStart(child.pid);
    });
  });
}

lockingEngines((pid) => void sendReport({ kind: "engine", pid }));
// The parent process ends the run by a message.
for (const signal of ["SIGINT", "SIGHUP", "SIGTERM"] as const) process.on(signal, () => {});
// If the parent was killed, this kills the process group, which has the engine too.
process.on("disconnect", () => process.kill(-process.pid, "SIGKILL"));
process.on("message", (given) => {
  const sent = message.parse(given);
  if (sent.kind === "order") void carryOut(sent.order);
  else ended.abort();
});
