/** Deploys in a process of its own, which ends with the deployment, or with the edge. */
import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Step } from "#automation/engine/run/steps.ts";
import { type Deployment, type DeploymentJob, type Order, report } from "./messages.ts";

const PROGRAM = fileURLToPath(new URL("main.ts", import.meta.url));

export interface DeployerOptions {
  /** Hears, before anything is changed, how many resources will be; never called when nothing is to be done. */
  onPlan?: (total: number) => void;
  /** Hears of every resource that is being changed. */
  onStep?: (step: Step) => void;
  /** Ends the deployment gracefully: what is under way is finished and saved. */
  signal: AbortSignal;
}

/** Why a deployment came to nothing: one clear message. */
export class DeploymentError extends Error {
  override name = "DeploymentError";
  /** Whether the signal ended it. */
  readonly cancelled: boolean;
  constructor(message: string, cancelled: boolean) {
    super(message);
    this.cancelled = cancelled;
  }
}

export interface Deployed {
  outputs: Deployment;
  /** About demo data that could not be added. */
  warnings: string[];
}

/**
 * Brings a stack up to date and adds the demo's users. Resolves when the process is gone.
 *
 * @throws DeploymentError
 */
export async function deployApart(job: DeploymentJob, options: DeployerOptions): Promise<Deployed> {
  const { onPlan, onStep, signal } = options;
  // A group of its own: a terminal's Ctrl-C reaches the edge alone, which asks the deployment once to end.
  const child = fork(PROGRAM, {
    detached: true,
    // The edge's own flags keep it small; a deployment is to be quick.
    execArgv: ["--disable-warning=ExperimentalWarning"],
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const tell = (order: Order) => child.connected && child.send(order);
  const end = () => tell({ kind: "end" });
  let outcome: Deployed | DeploymentError | undefined;
  child.on("message", (message) => {
    const said = report.parse(message);
    if (said.kind === "planned") onPlan?.(said.total);
    else if (said.kind === "step") onStep?.(said.step);
    else if (said.kind === "deployed") outcome = { outputs: said.outputs, warnings: said.warnings };
    else outcome = new DeploymentError(said.message, said.cancelled);
  });
  const gone = new Promise<string>((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("close", (code, by) => resolve(by === null ? `code ${code}` : by));
  });
  tell({ kind: "deploy", job });
  if (signal.aborted) end();
  signal.addEventListener("abort", end, { once: true });
  const how = await gone;
  signal.removeEventListener("abort", end);
  outcome ??= new DeploymentError(`The process of the deployment ended before it was complete: ${how}.`, false);
  if (outcome instanceof DeploymentError) throw outcome;
  return outcome;
}
