import * as z from "zod";
import { serverSentEvent } from "../events.ts";
import { type MockCall, streamResponse } from "./mock-call.ts";
import { type Words, wordsFor } from "./words.ts";

const MODELS = ["mock", "gpt-4o-mini", "gpt-4o"];

const streamOptions = z.looseObject({
  stream_options: z.looseObject({ include_usage: z.boolean().optional() }).nullish(),
});

export function openaiResponse(call: MockCall): Response {
  const { method, endpoint, json, model } = call;
  if (method === "GET" && endpoint.endsWith("/models")) {
    const data = MODELS.map((id) => ({ id, object: "model", created: 0, owned_by: "mock" }));
    return Response.json({ object: "list", data });
  }
  const kind = /\/(chat\/completions|responses)$/.exec(endpoint)?.[1];
  if (method !== "POST" || kind === undefined) return errorResponse(404, `Unknown request URL: ${method} ${endpoint}`);
  const words = wordsFor(call.provider, model, json);
  if (model === "") return errorResponse(400, "you must provide a model parameter");
  if (words === undefined) return errorResponse(400, kind === "responses" ? "Missing input." : "Missing messages.");
  return kind === "responses" ? mockResponses(call, words) : mockCompletions(call, words);
}

function errorResponse(status: number, message: string): Response {
  const error = { message, type: "invalid_request_error", param: null, code: null };
  return Response.json({ error }, { status });
}

function mockCompletions({ json, model, streams, id }: MockCall, words: Words): Response {
  const usage = {
    prompt_tokens: words.tokensIn,
    completion_tokens: words.tokensOut,
    total_tokens: words.tokensIn + words.tokensOut,
  };
  const head = { id: `chatcmpl-${id}`, created: 0, model };
  if (!streams) {
    const message = { role: "assistant", content: words.text, refusal: null };
    const choices = [{ index: 0, message, logprobs: null, finish_reason: "stop" }];
    return Response.json({ ...head, object: "chat.completion", choices, usage });
  }
  const options = streamOptions.safeParse(json);
  const withUsage = options.success && options.data.stream_options?.include_usage === true;
  const chunk = (choices: unknown[], more = {}) =>
    serverSentEvent({ ...head, object: "chat.completion.chunk", choices, ...(withUsage && { usage: null }), ...more });
  const choice = (delta: object, end: string | null = null) => [
    { index: 0, delta, logprobs: null, finish_reason: end },
  ];
  return streamResponse([
    chunk(choice({ role: "assistant", content: "" })),
    ...words.pieces.map((content) => chunk(choice({ content }))),
    chunk(choice({}, "stop")),
    ...(withUsage ? [chunk([], { usage })] : []),
    "data: [DONE]\n\n",
  ]);
}

function mockResponses({ model, streams, id }: MockCall, words: Words): Response {
  const item_id = `msg_${id}`;
  const part = (text: string) => ({ type: "output_text", text, annotations: [], logprobs: [] });
  const message = { id: item_id, type: "message", role: "assistant" };
  const item = (status: string, content: unknown[]) => ({ ...message, status, content });
  const usage = {
    input_tokens: words.tokensIn,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: words.tokensOut,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: words.tokensIn + words.tokensOut,
  };
  const whole = (status: string, output: unknown[]) => ({
    id: `resp_${id}`,
    object: "response",
    created_at: 0,
    status,
    error: null,
    incomplete_details: null,
    instructions: null,
    metadata: {},
    model,
    output,
    parallel_tool_calls: false,
    temperature: 1,
    tool_choice: "none",
    tools: [],
    top_p: 1,
    usage: status === "completed" ? usage : null,
  });
  const done = item("completed", [part(words.text)]);
  if (!streams) return Response.json(whole("completed", [done]));
  const at = { item_id, output_index: 0, content_index: 0 };
  const events: [string, object][] = [
    ["response.created", { response: whole("in_progress", []) }],
    ["response.output_item.added", { output_index: 0, item: item("in_progress", []) }],
    ["response.content_part.added", { ...at, part: part("") }],
    ...words.pieces.map((delta): [string, object] => ["response.output_text.delta", { ...at, delta, logprobs: [] }]),
    ["response.output_text.done", { ...at, text: words.text, logprobs: [] }],
    ["response.content_part.done", { ...at, part: part(words.text) }],
    ["response.output_item.done", { output_index: 0, item: done }],
    ["response.completed", { response: whole("completed", [done]) }],
  ];
  return streamResponse(
    events.map(([type, data], sequence_number) => serverSentEvent({ type, sequence_number, ...data }, type)),
  );
}
