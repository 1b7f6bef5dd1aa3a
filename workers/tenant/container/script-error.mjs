/** A failure with the exit code that tells a script's caller what it was. */
export class ScriptError extends Error {
  constructor(exitCode, message) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** What a script exits with for `error`: its code, or 1 for one that nobody foresaw. */
export const exitCodeOf = (error) => (error instanceof ScriptError ? error.exitCode : 1);
