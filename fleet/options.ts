import type { EngineOptions } from "#automation/engine/runs.ts";
import type { Environment } from "#domain/environment.ts";

/** Options of every command. */
export interface FleetOptions extends EngineOptions {
  /** Environment of a platform's own program. */
  platformVariables: (environment: Environment) => Readonly<Record<string, string>>;
  signal: AbortSignal;
  /** Receives progress messages. */
  say: (line: string) => void;
}

/** Options of commands for a platform. */
export interface PlatformOptions extends FleetOptions {
  /** Stack of the platform. */
  stack: string;
  /** Absolute path of the directory of tenants' files; the platform's file is in its parent. */
  directory: string;
}
