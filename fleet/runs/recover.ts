import { type EngineOptions, EngineRuns, RunFailed } from "#automation/engine/runs.ts";

export interface RecoverOptions extends EngineOptions {
  /** Whether to remove the lock of a run that seems to be alive. */
  force: boolean;
  onRecovered: (what: string) => void;
  signal: AbortSignal;
}

/** Removes what a killed run left: its lock, a torn state in files, and pending creates. @throws Error while another run has the stack */
export async function recoverStack(
  stack: string,
  { force, onRecovered, signal, ...engine }: RecoverOptions,
): Promise<void> {
  try {
    await new EngineRuns(engine).run({ stack, operation: "recover", config: {}, force }, { onRecovered, signal });
  } catch (error) {
    if (!(error instanceof RunFailed) || error.why !== "locked") throw error;
    throw new Error(
      `${error.message} If that run is dead, such as on a lost machine, run npm run fleet -- recover ${stack} --force`,
      { cause: error },
    );
  }
}
