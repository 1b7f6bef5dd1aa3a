/** Streamed model calls. */
import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import OpenAI from "openai";
import { describe, expect } from "vitest";
import { NO_PROVIDER_KEY } from "#workers/contracts/tenant/sandbox.ts";
import { CHAT, test } from "./testing/model-call-tenant.ts";
import type { TestAiGateway } from "./testing/test-ai-gateway.ts";

describe("streaming", () => {
  /** Returns the next call, which the test responds to. */
  function respondByHand(aiGateway: TestAiGateway): Promise<{ request: IncomingMessage; response: ServerResponse }> {
    return new Promise((resolve) => {
      aiGateway.respond = (request, response) => resolve({ request, response });
    });
  }
  const part = (text: string) => `data: ${JSON.stringify({ choices: [{ delta: { content: text } }] })}\n\n`;

  test("passes the parts of a response as they are sent", async ({ aiGateway, url }) => {
    const called = respondByHand(aiGateway);
    const openai = new OpenAI({
      apiKey: NO_PROVIDER_KEY,
      baseURL: `${url}/v1/account-1/pool-a/compat`,
      maxRetries: 0,
    });
    const responding = openai.chat.completions.create({ model: "openai/x", messages: [], stream: true });
    const { request, response } = await called;
    request.resume();
    response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
    const stream = (await responding)[Symbol.asyncIterator]();
    for (const text of ["one", "two", "three"]) {
      response.write(part(text));
      // The next part is not sent before this one has arrived.
      expect((await stream.next()).value?.choices[0]?.delta.content).toBe(text);
    }
    response.end("data: [DONE]\n\n");
    expect((await stream.next()).done).toBe(true);
  });

  test("passes a request's body while it is sent", async ({ aiGateway, send }) => {
    const called = respondByHand(aiGateway);
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const writer = writable.getWriter();
    // With a key of its own, the body is not read for its model.
    const own = { authorization: "Bearer sk-own" };
    const responding = send(CHAT, own, { body: readable, duplex: "half" } as RequestInit);
    await writer.write(new TextEncoder().encode("zero"));
    const { request, response } = await called;
    expect(String((await once(request, "data"))[0])).toBe("zero");
    for (const text of ["one", "two"]) {
      const [[bytes]] = await Promise.all([once(request, "data"), writer.write(new TextEncoder().encode(text))]);
      expect(String(bytes)).toBe(text);
    }
    await writer.close();
    await once(request, "end");
    response.end("{}");
    expect((await responding).status).toBe(200);
  });

  test.for(["before the response", "during the response"])(
    "ends the call to the AI gateway when the caller disconnects %s",
    async (when, { aiGateway, send }) => {
      const called = respondByHand(aiGateway);
      const leaving = new AbortController();
      const responding = send(CHAT, {}, { signal: leaving.signal });
      const { request, response } = await called;
      request.resume();
      const closed = once(response, "close");
      if (when.startsWith("during")) {
        response.writeHead(200, { "content-type": "text/event-stream" }).write(part("one"));
        await (await responding).body?.getReader().read();
      }
      leaving.abort();
      responding.catch(() => {});
      expect(await Promise.race([closed.then(() => "ended"), delay(10_000, "continues", { ref: false })])).toBe(
        "ended",
      );
    },
  );

  test("reports a broken response to the caller, streamed or not", async ({ aiGateway, url, send }) => {
    const streamed = respondByHand(aiGateway);
    const openai = new OpenAI({
      apiKey: NO_PROVIDER_KEY,
      baseURL: `${url}/v1/account-1/pool-a/compat`,
      maxRetries: 0,
    });
    const responding = openai.chat.completions.create({ model: "openai/x", messages: [], stream: true });
    const first = await streamed;
    first.request.resume();
    first.response
      .writeHead(200, { "content-type": "text/event-stream" })
      .write(part("one"), () => first.response.destroy());
    const parts: unknown[] = [];
    const read = async () => {
      for await (const chunk of await responding) parts.push(chunk.choices[0]?.delta.content);
    };
    await expect(read()).rejects.toThrow("The AI gateway's response ended early");
    expect(parts).toEqual(["one"]);

    const whole = respondByHand(aiGateway);
    const other = send(CHAT);
    const { response } = await whole;
    response.writeHead(200, { "content-length": "50" }).write("half", () => response.destroy());
    await expect(other.then((it) => it.text())).rejects.toThrow();
  });
});
