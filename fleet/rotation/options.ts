import type { EngineOptions } from "#automation/engine/runs.ts";
import type { Environment } from "#domain/environment.ts";

export interface RotateOptions extends EngineOptions {
  /** As the command names it. */
  secret: string;
  /** Stack of the platform. */
  stack: string;
  /** Of the files of tenants' stacks, absolute; the platform's file is in the directory above. */
  directory: string;
  /** Stacks that are brought up at a time. */
  parallel: number;
  /** Provider whose key is replaced. */
  provider: string | undefined;
  /** Command that restarts the automation service with the new secrets. */
  service: string | undefined;
  /** Restarts the automation service of a local edge. @returns false where none runs for the stack. Default: there is no local edge */
  restartLocal: ((stack: string, variables: Readonly<Record<string, string>>) => Promise<boolean>) | undefined;
  /** Whether the automation service has the new secrets already. */
  finish: boolean;
  /** Seconds between two steps, in which Workers reach all locations. */
  pauseSeconds: number;
  /** What a platform's own program is given beside the engine's variables. */
  platformVariables: (environment: Environment) => Readonly<Record<string, string>>;
  /** A secret that somebody else issued. */
  readValue: () => Promise<string>;
  signal: AbortSignal;
  /** Hears a sentence of what was done. */
  say: (line: string) => void;
}
