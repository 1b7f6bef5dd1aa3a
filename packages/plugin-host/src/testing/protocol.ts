import { type Run, runFor } from "../run.ts";

export { toStruct } from "../properties.ts";

/** Returns a run that is not cancelled and drops messages. */
export const silentRun = (): Run => runFor(undefined, "", new AbortController().signal);
