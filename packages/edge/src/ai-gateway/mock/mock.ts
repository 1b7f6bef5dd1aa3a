import { createHash } from "node:crypto";
import type { Call } from "../call.ts";
import { anthropicResponse } from "./anthropic.ts";
import type { MockCall } from "./mock-call.ts";
import { openaiResponse } from "./openai.ts";

/** Responds instead of a provider without account. The same request gets the same response. It never calls tools. */
export function mockResponse({ provider, dialect, method, endpoint, body, json, model, streams }: Call): Response {
  const id = createHash("sha256").update(endpoint).update(body).digest("hex").slice(0, 24);
  const call: MockCall = { provider, method, endpoint, json, model, streams, id };
  return dialect === "anthropic" ? anthropicResponse(call) : openaiResponse(call);
}
