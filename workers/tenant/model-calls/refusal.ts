import { errorCodes } from "#domain/errors/codes.ts";
import { type HttpError, stateError } from "#domain/errors/stated.ts";

/** Creates an error in the AI gateway's format, so that clients show the message. The code is the HTTP status, not one of the vendor's. */
export function refusal(entry: HttpError): Response {
  const { code, message } = stateError(entry);
  const { status } = errorCodes[code];
  const body = {
    success: false,
    result: [],
    messages: [],
    error: [{ code: status, message }],
    name: "TenantryError",
    httpCode: status,
    internalCode: status,
    message,
  };
  return Response.json(body, { status, headers: { "cache-control": "no-store" } });
}
