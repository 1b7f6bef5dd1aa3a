/** A Worker's log: one line of JSON for each thing that happens. Never a path, a token or an e-mail. */

/** @param event what happened, as `subject.what` in small letters, such as `tick.failed` */
export function log(level: "error" | "warn" | "log", event: `${string}.${string}`, details: object = {}): void {
  console[level](JSON.stringify({ event, ...details }));
}

/** What an error says, and what caused it; `undefined` for what is no error. */
export function reasonOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const cause = reasonOf(error.cause);
  return cause === undefined ? error.message : `${error.message}: ${cause}`;
}
