import { requestErrors } from "#domain/errors/api/requests.ts";
import { BodyTooLarge, readBounded } from "#workers/shared/bounded-body.ts";
import { failure } from "./failure.tsx";

/**
 * Reads the body of a request.
 *
 * @param most in bytes
 * @throws Failure `payload_too_large`
 */
export async function readBody(request: Request, most: number): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return await readBounded(request, most);
  } catch (error) {
    if (error instanceof BodyTooLarge) throw failure(requestErrors.body_too_large, { bytes: most });
    throw error;
  }
}

/** Parses a JSON body; an empty body is an empty object. @throws Failure `invalid_request` */
export function parseJson(body: Uint8Array): unknown {
  if (body.length === 0) return {};
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(body));
  } catch {
    throw failure(requestErrors.body_not_json);
  }
}
