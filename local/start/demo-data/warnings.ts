import { errorText } from "#domain/errors/catalogue.ts";
import { localStartErrors } from "#domain/errors/commands/local-start.ts";
import { describeFailure } from "../failure.ts";
export interface DemoFailure {
  what: string;
  error: unknown;
}

/** Demo data is optional, so failures are warnings. @param directory the state directory, whose log gets the details */
export const demoWarnings = (failures: readonly DemoFailure[], directory: string): string[] =>
  failures.map(({ what, error }) =>
    errorText(localStartErrors.demo_data_not_added, { what, cause: describeFailure(error, directory) }),
  );
