/** Logs one line of JSON. Never log a path, a token or an e-mail address. @param event such as `tick.failed` */
export function log(level: "error" | "warn" | "log", event: `${string}.${string}`, details: object = {}): void {
  console[level](JSON.stringify({ event, ...details }));
}

/** Returns an error's message with those of its causes. */
export function reasonOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const cause = reasonOf(error.cause);
  return cause === undefined ? error.message : `${error.message}: ${cause}`;
}
