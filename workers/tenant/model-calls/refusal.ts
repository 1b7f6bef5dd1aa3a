/** What the Worker says in the AI gateway's place, as that says it, so that clients of models show the sentence. */

/** The HTTP status is the code too: the vendor's own codes tell of its own reasons. */
export function refusal(status: number, message: string, headers: Record<string, string> = {}): Response {
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
  return Response.json(body, { status, headers: { "cache-control": "no-store", ...headers } });
}
