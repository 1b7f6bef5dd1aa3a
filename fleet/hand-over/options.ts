import type { EngineOptions } from "#automation/engine/runs.ts";
import type { Environment } from "#domain/environment.ts";

/** What a hand-over is told. */
export interface HandOverOptions extends EngineOptions {
  slug: string;
  environment: Environment;
  /** Of the stacks' files, absolute. */
  directory: string;
  signal: AbortSignal;
  /** Hears a sentence of what was done. */
  say: (line: string) => void;
}
