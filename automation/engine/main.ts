/**
 * A run's process: the stack's program, the engine and its plugins, for one order. What it takes of memory goes with it, and whoever
 * ordered it may be killed: it then goes too.
 */
import "./sdk-on-demand.ts";
import stackProgram from "#index.ts";
import { ADOPT_BUCKETS_VARIABLE, KEPT_BACKUPS_VARIABLE, TENANT_BUNDLE_VARIABLE } from "#stack/settings/run-flags.ts";
import { lockingEngines } from "./locking-engines.ts";
import { message, type Report, type StackOrder } from "./order.ts";
import { engineFault } from "./run/fault.ts";
import { runStack, StackLocked } from "./run/stack-run.ts";

const BUCKET = "cloudflare:index/r2Bucket:R2Bucket";

const ended = new AbortController();

function report(said: Report): Promise<void> {
  return new Promise((resolve) => process.send?.(said, () => resolve()));
}

/** What a run is told beside the process's variables. @param held types of the resources that the stack has */
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

async function work(order: StackOrder): Promise<void> {
  try {
    await runStack(order, {
      // A bucket that the stack has not is an earlier one of the same client, if there is one.
      program: (held) => stackProgram(variablesFor(order, held)),
      variables: process.env,
      onStep: (step) => void report({ kind: "step", step }),
      onChange: (change) => void report({ kind: "change", change }),
      onRecovered: (what) => void report({ kind: "recovered", what }),
      signal: ended.signal,
    });
    await report({ kind: "done" });
  } catch (error) {
    const why = ended.signal.aborted ? "ended" : error instanceof StackLocked ? "locked" : "fault";
    await report({ kind: "failed", why, message: engineFault(error) });
  }
  // Whatever the program left open must not keep the process.
  process.exit();
}

lockingEngines((pid) => void report({ kind: "engine", pid }));
// Whoever ordered the run says when it is to end.
for (const signal of ["SIGINT", "SIGHUP", "SIGTERM"] as const) process.on(signal, () => {});
// A service that was killed takes its runs along: this process leads the group that the engine is in.
process.on("disconnect", () => process.kill(-process.pid, "SIGKILL"));
process.on("message", (given) => {
  const said = message.parse(given);
  if (said.kind === "order") void work(said.order);
  else ended.abort();
});
