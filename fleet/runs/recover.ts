/** Frees a stack of what a killed run left: its lock, a torn state in files, and creates that nobody saw the end of. */
import { type EngineOptions, EngineRuns, RunFailed } from "#automation/engine/runs.ts";

export interface RecoverOptions extends EngineOptions {
  /** Whether a run that seems to live loses its lock too. */
  force: boolean;
  onRecovered: (what: string) => void;
  signal: AbortSignal;
}

/** @throws Error with one sentence while another run has the stack */
export async function recover(stack: string, { force, onRecovered, signal, ...engine }: RecoverOptions): Promise<void> {
  try {
    await new EngineRuns(engine).run({ stack, operation: "recover", config: {}, force }, { onRecovered, signal });
  } catch (error) {
    if (!(error instanceof RunFailed) || error.why !== "locked") throw error;
    throw new Error(
      `${error.message} If you know that it is dead, as of a machine that is gone, say so: npm run fleet -- recover ${stack} --force`,
      { cause: error },
    );
  }
}
