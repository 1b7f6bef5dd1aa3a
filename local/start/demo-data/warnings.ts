import { describeFailure } from "../failure.ts";
export interface DemoFailure {
  what: string;
  error: unknown;
}

/** Demo data is optional, so failures are warnings. @param directory the state directory, whose log gets the details */
export const demoWarnings = (failures: readonly DemoFailure[], directory: string): string[] =>
  failures.map(
    ({ what, error }) =>
      `WARNING: Failed to add demo data for ${what}; the next start tries again. The platform works without it. Cause: ${describeFailure(error, directory)}`,
  );
