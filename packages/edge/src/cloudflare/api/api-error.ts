/** An error of Cloudflare's API, sent in the envelope. */
export class ApiError extends Error {
  override name = "ApiError";
  readonly status: number;
  readonly code: number;

  constructor(status: number, code: number, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}
