/**
 * A refusal of the SQL API, answered as plain text. 422 and "Input was invalid: …" are what others saw of the live service; the
 * vendor documents neither.
 */
export class SqlError extends Error {
  override name = "SqlError";
  readonly status: number;

  /** @param status of the answer. Default: 422 */
  constructor(message: string, status = 422) {
    super(message);
    this.status = status;
  }
}

/** What is wrong with the query itself. */
export function invalid(reason: string): SqlError {
  return new SqlError(`Input was invalid: ${reason}`);
}
