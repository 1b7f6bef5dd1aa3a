/**
 * An error of the gateway itself. Its body differs from the envelope of the API: the list is `error`, the result is empty. Codes 2001, 2003,
 * 2008, 2009, 2019 and 2045 are quoted by clients of the vendor, 2029 and 2030 are documented (features/dlp). Others are not the vendor's.
 */
export class Refusal extends Error {
  override name = "Refusal";
  readonly status: number;
  readonly code: number;

  constructor(status: number, code: number, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }

  /** @param headers besides `content-type`. Default: none */
  response(headers: Record<string, string> = {}): Response {
    return Response.json(this.body(), { status: this.status, headers });
  }

  body(): Record<string, unknown> {
    const { status, code, message } = this;
    const envelope = { success: false, result: [], messages: [], error: [{ code, message }] };
    return { ...envelope, name: "AiGatewayError", httpCode: status, internalCode: code, message };
  }
}

export const refusals = {
  unknownGateway: () => new Refusal(400, 2001, "Please configure AI Gateway in the Cloudflare dashboard"),
  rateLimited: () => new Refusal(429, 2003, "Rate limited"),
  invalidProvider: () => new Refusal(400, 2008, "Invalid provider"),
  unauthorized: () => new Refusal(401, 2009, "Unauthorized"),
  noStoredKey: (alias: string) => new Refusal(400, 2000, `The gateway stores no key with the alias ${alias}`),
  noCredentials: () => new Refusal(400, 2000, "The request has no credentials of the provider"),
  badFormat: () => new Refusal(400, 2019, "Chat completion bad format"),
  requestBlocked: () => new Refusal(400, 2029, "Request content blocked due to DLP policy violations"),
  responseBlocked: () => new Refusal(400, 2030, "Response content blocked due to DLP policy violations"),
  overSpent: (rule: string) => new Refusal(429, 2045, `Spend limit exceeded: ${rule}`),
  unreachable: () => new Refusal(502, 2002, "The provider did not respond"),
  tooLarge: (bytes: number) => new Refusal(413, 2000, `A body must have at most ${bytes} bytes`),
  faulty: () => new Refusal(500, 2000, "Internal error; the log of the edge has the reason"),
};
