/** Sent as plain text. Status 422 and "Input was invalid: …" follow public reports; Cloudflare documents neither. */
export class SqlError extends Error {
  override name = "SqlError";
  readonly status: number;

  constructor(message: string, status = 422) {
    super(message);
    this.status = status;
  }
}

export function invalidInput(reason: string): SqlError {
  return new SqlError(`Input was invalid: ${reason}`);
}
