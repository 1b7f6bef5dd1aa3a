/** Demo data that could not be added: a warning, since the platform works without it. */
import { failureText } from "../failure.ts";

/** Demo data that could not be added, and why. */
export interface DemoFailure {
  what: string;
  error: unknown;
}

/** A warning for each failure. @param directory the state directory, whose log gets the details */
export const demoWarnings = (failures: readonly DemoFailure[], directory: string): string[] =>
  failures.map(
    ({ what, error }) =>
      `WARNING: Failed to add demo data for ${what}; the next start tries again. The platform works without it. Cause: ${failureText(error, directory)}`,
  );
