/** A refusal as Cloudflare words it: an HTTP status and a coded message, answered in the usual envelope. */
export class ApiError extends Error {
  override name = "ApiError";
  readonly status: number;
  readonly code: number;

  constructor(status: number, code: number, message: string) {
    super(message);
    this.name = "ApiError";
    this.status = status;
    this.code = code;
  }
}
