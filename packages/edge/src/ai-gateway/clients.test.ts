/** The gateways, called by the clients of the providers. */
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { describe, expect, test } from "vitest";
import { makeToken, startTestGateway } from "./testing/test-gateway.ts";

const question = "What is a tenant?";

async function clients() {
  const gateway = await startTestGateway({ gateway: { authentication: true } });
  const defaultHeaders = { "cf-aig-authorization": `Bearer ${await makeToken(gateway)}` };
  const common = { apiKey: "unused", defaultHeaders, maxRetries: 0 };
  return {
    gateway,
    openai: new OpenAI({ ...common, baseURL: `${gateway.base}/openai` }),
    compat: new OpenAI({ ...common, baseURL: `${gateway.base}/compat` }),
    anthropic: new Anthropic({ ...common, baseURL: `${gateway.base}/anthropic` }),
  };
}

describe("OpenAI's client", () => {
  test("completes a chat, with and without streaming", async () => {
    const { openai } = await clients();
    const messages = [{ role: "user" as const, content: question }];
    const whole = await openai.chat.completions.create({ model: "gpt-4o-mini", messages });
    const text = whole.choices[0]?.message.content ?? "";
    expect(text).toContain("mock of openai");
    expect(text).toContain(question);
    expect(whole.usage?.total_tokens).toBe((whole.usage?.prompt_tokens ?? 0) + (whole.usage?.completion_tokens ?? 0));

    const stream = await openai.chat.completions.create({
      model: "gpt-4o-mini",
      messages,
      stream: true,
      stream_options: { include_usage: true },
    });
    const pieces: string[] = [];
    let usage: OpenAI.CompletionUsage | null | undefined;
    for await (const chunk of stream) {
      pieces.push(chunk.choices[0]?.delta.content ?? "");
      usage = chunk.usage ?? usage;
    }
    expect(pieces.filter((piece) => piece !== "").length).toBeGreaterThan(2);
    expect(pieces.join("")).toBe(text);
    expect(usage).toEqual(whole.usage);
  });

  test("gets a response, with and without streaming, and lists models", async () => {
    const { openai } = await clients();
    const whole = await openai.responses.create({ model: "gpt-4o", input: question });
    expect(whole.output_text).toContain(question);
    const events: string[] = [];
    const stream = openai.responses.stream({ model: "gpt-4o", input: question });
    for await (const { type } of stream) events.push(type);
    expect(events.at(0)).toBe("response.created");
    expect(events.at(-1)).toBe("response.completed");
    expect((await stream.finalResponse()).output_text).toBe(whole.output_text);
    const models = [];
    for await (const { id } of openai.models.list()) models.push(id);
    expect(models).toContain("gpt-4o");
  });

  test("reaches any provider by the compatible endpoint", async () => {
    const { compat } = await clients();
    const messages = [{ role: "user" as const, content: question }];
    for (const model of ["openai/gpt-4o", "anthropic/claude-haiku-4-5"]) {
      const [provider = "", name] = model.split("/");
      const whole = await compat.chat.completions.create({ model, messages });
      expect(whole.model).toBe(name);
      expect(whole.choices[0]?.message.content).toContain(provider);
      let text = "";
      for await (const chunk of await compat.chat.completions.create({ model, messages, stream: true })) {
        text += chunk.choices[0]?.delta.content ?? "";
      }
      expect(text).toBe(whole.choices[0]?.message.content);
    }
    await expect(compat.chat.completions.create({ model: "unknown/model", messages })).rejects.toMatchObject({
      status: 400,
      error: [{ code: 2008, message: "Invalid provider" }],
    });
    await expect(compat.chat.completions.create({ model: "gpt-4o", messages })).rejects.toMatchObject({ status: 400 });
  });

  test("gets errors of the provider and of the gateway", async () => {
    const { openai, gateway } = await clients();
    await expect(openai.chat.completions.create({ model: "gpt-4o", messages: [] })).rejects.toBeInstanceOf(
      OpenAI.BadRequestError,
    );
    const stranger = new OpenAI({ apiKey: "unused", maxRetries: 0, baseURL: `${gateway.base}/openai` });
    await expect(stranger.models.list()).rejects.toBeInstanceOf(OpenAI.AuthenticationError);
  });
});

describe("Anthropic's client", () => {
  const asked = {
    model: "claude-haiku-4-5",
    max_tokens: 100,
    messages: [{ role: "user" as const, content: [{ type: "text" as const, text: question }] }],
  };

  test("sends a message, with and without streaming", async () => {
    const { anthropic } = await clients();
    const whole = await anthropic.messages.create(asked);
    const [block] = whole.content;
    const text = block?.type === "text" ? block.text : "";
    expect(text).toContain("mock of anthropic");
    expect(text).toContain(question);

    const stream = anthropic.messages.stream(asked);
    const pieces: string[] = [];
    stream.on("text", (piece) => pieces.push(piece));
    const final = await stream.finalMessage();
    expect(pieces.length).toBeGreaterThan(2);
    expect(pieces.join("")).toBe(text);
    expect(final.usage).toMatchObject(whole.usage);
    expect(final.stop_reason).toBe("end_turn");
  });

  test("lists models, and gets Anthropic's error for a missing field", async () => {
    const { anthropic } = await clients();
    const models = [];
    for await (const { id } of anthropic.models.list()) models.push(id);
    expect(models).toContain("claude-haiku-4-5");
    await expect(anthropic.messages.create({ ...asked, messages: [] })).rejects.toMatchObject({
      status: 400,
      error: { error: { type: "invalid_request_error" } },
    });
  });
});
