/**
 * What the gateway itself refuses, and in which body. It is not the API's envelope: the list is called `error`, the result is empty.
 * Codes 2001, 2003, 2008, 2009 and 2045 are as clients of the vendor quote them, 2029 and 2030 are documented (features/dlp); 2019
 * is quoted for a body that is no chat completion. The others are ours.
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

  /** @param headers beside `content-type`. Default: none */
  response(headers: Record<string, string> = {}): Response {
    return Response.json(this.body(), { status: this.status, headers });
  }

  body(): Record<string, unknown> {
    return {
      success: false,
      result: [],
      messages: [],
      error: [{ code: this.code, message: this.message }],
      name: "AiGatewayError",
      httpCode: this.status,
      internalCode: this.code,
      message: this.message,
    };
  }
}

export const refusals = {
  unknownGateway: () => new Refusal(400, 2001, "Please configure AI Gateway in the Cloudflare dashboard"),
  rateLimited: () => new Refusal(429, 2003, "Rate limited"),
  invalidProvider: () => new Refusal(400, 2008, "Invalid provider"),
  unauthorized: () => new Refusal(401, 2009, "Unauthorized"),
  badFormat: () => new Refusal(400, 2019, "Chat completion bad format"),
  requestBlocked: () => new Refusal(400, 2029, "Request content blocked due to DLP policy violations"),
  responseBlocked: () => new Refusal(400, 2030, "Response content blocked due to DLP policy violations"),
  overSpent: (rule: string) => new Refusal(429, 2045, `Spend limit exceeded: ${rule}`),
  unreachable: () => new Refusal(502, 2002, "The provider did not answer"),
  tooLarge: (bytes: number) => new Refusal(413, 2000, `A body may have up to ${bytes} bytes`),
  faulty: () => new Refusal(500, 2000, "Internal error; the local edge's log holds the reason"),
};
