import type { EngineOptions } from "#automation/engine/runs.ts";
import type { Environment } from "#domain/environment.ts";

export interface RotateOptions extends EngineOptions {
  /** Name in the command line. */
  secret: string;
  /** Stack of the platform. */
  stack: string;
  /** Absolute path of the directory of tenants' files; the platform's file is in its parent. */
  directory: string;
  /** Number of stacks that are deployed concurrently. */
  parallel: number;
  provider: string | undefined;
  /** Command that restarts the automation service with the new secrets. */
  service: string | undefined;
  /** Restarts the automation service of a local edge. @returns false if none runs for the stack. Default: no local edge */
  restartLocal: ((stack: string, variables: Readonly<Record<string, string>>) => Promise<boolean>) | undefined;
  /** Whether the automation service uses the new secrets already. */
  finish: boolean;
  /** Seconds between two steps, in which Workers reach all locations. */
  pauseSeconds: number;
  /** Environment of a platform's own program. */
  platformVariables: (environment: Environment) => Readonly<Record<string, string>>;
  /** Reads the secret of another issuer. */
  readValue: () => Promise<string>;
  signal: AbortSignal;
  /** Receives progress messages. */
  say: (line: string) => void;
}
