/** A failure with the script's exit code. */
export class ScriptError extends Error {
  constructor(exitCode, message) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Returns the exit code for an error; 1 for an unexpected one. */
export const exitCodeOf = (error) => (error instanceof ScriptError ? error.exitCode : 1);
