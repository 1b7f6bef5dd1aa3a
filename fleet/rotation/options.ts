import type { PlatformOptions } from "../options.ts";

export interface RotateOptions extends PlatformOptions {
  /** Name in the command line. */
  secret: string;
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
  /** Reads the secret of another issuer. */
  readValue: () => Promise<string>;
}
