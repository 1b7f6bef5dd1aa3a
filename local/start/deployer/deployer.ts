/** Runs a deployment in a process of its own, which ends with it or with the edge. */
import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Step } from "#automation/engine/run/steps.ts";
import { type Carried, CatalogueError } from "#domain/errors/catalogue-error.ts";
import { localStartErrors } from "#domain/errors/commands/local-start.ts";
import { type Deployment, type DeploymentJob, type Order, report } from "./messages.ts";

const PROGRAM = fileURLToPath(new URL("main.ts", import.meta.url));

export interface DeployerOptions {
  /** Called with the number of changes before they begin; not called without changes. */
  onPlan?: (total: number) => void;
  onStep?: (step: Step) => void;
  /** Stops the deployment gracefully: operations in progress finish and are saved. */
  signal: AbortSignal;
}

export class DeploymentError extends CatalogueError<Carried> {
  override name = "DeploymentError";
  readonly cancelled: boolean;
  constructor(source: Carried, cancelled: boolean) {
    super(source);
    this.cancelled = cancelled;
  }
}

export interface Deployed {
  outputs: Deployment;
  warnings: string[];
}

/** Updates a stack and adds the demo's users. Resolves when the process has ended. @throws DeploymentError */
export async function deployInProcess(job: DeploymentJob, options: DeployerOptions): Promise<Deployed> {
  const { onPlan, onStep, signal } = options;
  // Its own process group: Ctrl-C reaches the edge only, which stops the deployment.
  const child = fork(PROGRAM, {
    detached: true,
    // Without the edge's memory flags, which slow a deployment down.
    execArgv: ["--disable-warning=ExperimentalWarning"],
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const send = (order: Order) => child.connected && child.send(order);
  const stop = () => send({ kind: "end" });
  let outcome: Deployed | DeploymentError | undefined;
  child.on("message", (message) => {
    const received = report.parse(message);
    if (received.kind === "planned") onPlan?.(received.total);
    else if (received.kind === "step") onStep?.(received.step);
    else if (received.kind === "deployed") outcome = { outputs: received.outputs, warnings: received.warnings };
    else outcome = new DeploymentError(received, received.cancelled);
  });
  const closed = new Promise<string>((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("close", (code, by) => resolve(by === null ? `code ${code}` : by));
  });
  send({ kind: "deploy", job });
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  const reason = await closed;
  signal.removeEventListener("abort", stop);
  outcome ??= new DeploymentError(new CatalogueError(localStartErrors.local_deployment_died, { how: reason }), false);
  if (outcome instanceof DeploymentError) throw outcome;
  return outcome;
}
