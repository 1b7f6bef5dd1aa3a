/** Process of one deployment, which frees its memory when it ends: program, providers and engine. */
import "#automation/engine/sdk-on-demand.ts";
import { CommandError } from "@pulumi/pulumi/automation/index.js";
import { engineFault } from "#automation/engine/run/fault.ts";
import { ACCOUNT_ID } from "../../account.ts";
import { startProvidersFor } from "../../providers/providers.ts";
import { addDemoUsers } from "../demo.ts";
import { type DemoFailure, demoWarnings } from "../demo-data/warnings.ts";
import { deployStack, selectStack } from "../deployment.ts";
import { type Deployment, type DeploymentJob, order, type Report } from "./messages.ts";

const ended = new AbortController();

function sendReport(message: Report): Promise<void> {
  return new Promise((resolve) => process.send?.(message, () => resolve()));
}

async function runDeployment({ target, ...job }: DeploymentJob): Promise<{ outputs: Deployment; warnings: string[] }> {
  const providers = await startProvidersFor(target);
  try {
    const stack = await selectStack({ ...job, target, providersPort: providers.port });
    const outputs = await deployStack(stack, {
      onPlan: (total) => void sendReport({ kind: "planned", total }),
      onStep: (step) => void sendReport({ kind: "step", step }),
      signal: ended.signal,
    });
    const failures: DemoFailure[] = [];
    await addDemoUsers({ ...target, accountId: ACCOUNT_ID }).catch((error: unknown) =>
      failures.push({ what: "the demo's users", error }),
    );
    return { outputs, warnings: demoWarnings(failures, job.directory) };
  } finally {
    await providers.stop();
  }
}

async function deployAndReport(job: DeploymentJob): Promise<void> {
  try {
    await sendReport({ kind: "deployed", ...(await runDeployment(job)) });
  } catch (error) {
    const cancelled = ended.signal.aborted && (error instanceof CommandError || error === ended.signal.reason);
    await sendReport({ kind: "failed", message: engineFault(error), cancelled });
  }
  // The engine's program may leave handles open.
  process.exit();
}

// The edge stops a deployment by a message, so that it is saved.
for (const signal of ["SIGINT", "SIGHUP", "SIGTERM"] as const) process.on(signal, () => {});
// When the edge was killed, kill the engine too: this process leads its group.
process.on("disconnect", () => process.kill(-process.pid, "SIGKILL"));
process.on("message", (message) => {
  const given = order.parse(message);
  if (given.kind === "deploy") void deployAndReport(given.job);
  else ended.abort();
});
