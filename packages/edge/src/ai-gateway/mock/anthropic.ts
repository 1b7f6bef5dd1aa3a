import * as z from "zod";
import { serverSentEvent } from "../events.ts";
import { type MockCall, streamResponse } from "./mock-call.ts";
import { wordsFor } from "./words.ts";

const MODELS = ["mock", "claude-haiku-4-5", "claude-sonnet-4-5"];

const limited = z.looseObject({ max_tokens: z.int().min(1) });

export function anthropicResponse({ provider, method, endpoint, json, model, streams, id }: MockCall): Response {
  if (method === "GET" && endpoint === "/v1/models") {
    const created_at = "1970-01-01T00:00:00Z";
    const data = MODELS.map((name) => ({ id: name, type: "model", display_name: name, created_at }));
    return Response.json({ data, has_more: false, first_id: MODELS[0], last_id: MODELS.at(-1) });
  }
  if (method !== "POST" || endpoint !== "/v1/messages") return errorResponse(404, "not_found_error", "Not Found");
  if (model === "") return errorResponse(400, "invalid_request_error", "model: Field required");
  const words = wordsFor(provider, model, json);
  if (words === undefined) return errorResponse(400, "invalid_request_error", "messages: Field required");
  if (!limited.safeParse(json).success)
    return errorResponse(400, "invalid_request_error", "max_tokens: Field required");

  const message = (content: unknown[], stop_reason: string | null, output_tokens: number) => ({
    id: `msg_${id}`,
    type: "message",
    role: "assistant",
    model,
    content,
    stop_reason,
    stop_sequence: null,
    usage: { input_tokens: words.tokensIn, output_tokens },
  });
  if (!streams) return Response.json(message([{ type: "text", text: words.text }], "end_turn", words.tokensOut));
  const delta = (text: string) => ({ index: 0, delta: { type: "text_delta", text } });
  const end = { stop_reason: "end_turn", stop_sequence: null };
  const events: [string, object][] = [
    ["message_start", { message: message([], null, 1) }],
    ["content_block_start", { index: 0, content_block: { type: "text", text: "" } }],
    ["ping", {}],
    ...words.pieces.map((text): [string, object] => ["content_block_delta", delta(text)]),
    ["content_block_stop", { index: 0 }],
    ["message_delta", { delta: end, usage: { output_tokens: words.tokensOut } }],
    ["message_stop", {}],
  ];
  return streamResponse(events.map(([type, data]) => serverSentEvent({ type, ...data }, type)));
}

function errorResponse(status: number, type: string, message: string): Response {
  return Response.json({ type: "error", error: { type, message } }, { status });
}
