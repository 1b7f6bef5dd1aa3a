/**
 * What answers in a provider's place where the edge has no key of it. It knows nothing and says so; the same request is answered
 * in the same words. Without tools: it never calls one.
 */
import { createHash } from "node:crypto";
import type { Call } from "../call.ts";
import { anthropicAnswer } from "./anthropic.ts";
import type { MockCall } from "./mock-call.ts";
import { openaiAnswer } from "./openai.ts";

export function mockAnswer({ provider, dialect, method, endpoint, body, json, model, streams }: Call): Response {
  const id = createHash("sha256").update(endpoint).update(body).digest("hex").slice(0, 24);
  const call: MockCall = { provider, method, endpoint, json, model, streams, id, seconds: 0 };
  return dialect === "anthropic" ? anthropicAnswer(call) : openaiAnswer(call);
}
