/** Calls of a provider, which is a server of the test. */
import type { ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { providerAccounts } from "./providers.ts";
import { startFakeProvider } from "./testing/fake-provider.ts";
import { chat, logged, makeToken, startTestGateway } from "./testing/test-gateway.ts";

const json =
  (body: unknown, status = 200) =>
  (response: ServerResponse) => {
    response.writeHead(status, { "content-type": "application/json", "x-request-id": "req_1", "set-cookie": "a=b" });
    response.end(JSON.stringify(body));
  };

async function passing(answer: (response: ServerResponse) => void) {
  const provider = await startFakeProvider(answer);
  const account = { key: "the-edge's-own", baseUrl: provider.baseUrl };
  const gateway = await startTestGateway({ accounts: { openai: account, anthropic: account } });
  return { provider, gateway };
}

test("reads keys from the environment", () => {
  expect(providerAccounts({})).toEqual({});
  expect(providerAccounts({ OPENAI_API_KEY: "", ANTHROPIC_API_KEY: "k" })).toEqual({ anthropic: { key: "k" } });
});

test("passes a call without the gateway's headers, and its response", async () => {
  const answered = { id: "1", model: "gpt-4o", usage: { prompt_tokens: 1000, completion_tokens: 100 } };
  const { provider, gateway } = await passing(json(answered));
  const answer = await gateway.send("openai/chat/completions?beta=1", chat("hello", { model: "gpt-4o" }), {
    authorization: "Bearer the-client's-own",
    "openai-organization": "org",
    "cf-aig-authorization": "Bearer gateway's",
    "cf-aig-metadata": "{}",
    cookie: "session=1",
  });
  expect(await answer.json()).toEqual(answered);
  expect(answer.headers.get("x-request-id")).toBe("req_1");
  expect(answer.headers.get("set-cookie")).toBeNull();
  const [received] = provider.received;
  expect(received).toMatchObject({ method: "POST", url: "/chat/completions?beta=1" });
  expect(JSON.parse(received?.body ?? "")).toEqual(chat("hello", { model: "gpt-4o" }));
  expect(received?.headers).toMatchObject({ authorization: "Bearer the-client's-own", "openai-organization": "org" });
  expect(Object.keys(received?.headers ?? {}).filter((name) => /^cf-|cookie/.test(name))).toEqual([]);
  expect(await logged(gateway)).toMatchObject([{ tokens_in: 1000, tokens_out: 100, cost: 0.0035 }]);
});

test("uses the edge's key when the client has none, and never passes a token of the gateway", async () => {
  const { provider, gateway } = await passing(json({}));
  const token = await makeToken(gateway);
  const keys = async (path: string, headers: Record<string, string>) => {
    await gateway.send(path, { ...chat("hello"), model: "anthropic/claude-haiku-4-5" }, headers);
    const { authorization, "x-api-key": key, "anthropic-version": version } = provider.received.at(-1)?.headers ?? {};
    return [authorization, key, version];
  };
  const own = "the-edge's-own";
  const version = "2023-06-01";
  expect(await keys("openai/chat/completions", {})).toEqual([`Bearer ${own}`, undefined, undefined]);
  expect(await keys("openai/chat/completions", { authorization: `Bearer ${token}` })).toEqual([
    `Bearer ${own}`,
    undefined,
    undefined,
  ]);
  expect(await keys("anthropic/v1/messages", { "x-api-key": token })).toEqual([undefined, own, version]);
  expect(await keys("anthropic/v1/messages", { "x-api-key": "mine", "anthropic-version": "2024-01-01" })).toEqual([
    undefined,
    "mine",
    "2024-01-01",
  ]);
  expect(await keys("compat/chat/completions", {})).toEqual([`Bearer ${own}`, undefined, version]);
  expect(provider.received.at(-1)).toMatchObject({ url: "/v1/chat/completions" });
  expect(JSON.parse(provider.received.at(-1)?.body ?? "")).toMatchObject({ model: "claude-haiku-4-5" });
});

test("passes and logs an error of the provider", async () => {
  const { gateway } = await passing(json({ error: { message: "no" } }, 401));
  const answer = await gateway.send("openai/chat/completions", chat("hello"));
  expect([answer.status, await answer.json()]).toEqual([401, { error: { message: "no" } }]);
  expect(await logged(gateway)).toMatchObject([{ success: false, status_code: 401, tokens_in: 0, cost: 0 }]);
});

test("returns an error for a provider that aborts its response", async () => {
  const { gateway } = await passing((response) => {
    response.writeHead(200, { "content-type": "application/json", "content-length": "100" });
    response.write("{");
    response.destroy();
  });
  const answer = await gateway.send("openai/chat/completions", chat("hello"));
  expect([answer.status, await answer.json()]).toMatchObject([502, { success: false, error: [{ code: 2002 }] }]);
  expect(gateway.faults).toEqual([]);
});

test("streams chunks, and logs the call when the client disconnects", async () => {
  let provider: ServerResponse | undefined;
  const { gateway } = await passing((response) => {
    provider = response;
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(`data: {"choices":[{"index":0,"delta":{"content":"first"}}]}\n\n`);
  });
  const answer = await gateway.send("openai/chat/completions", chat("hello", { stream: true }));
  const reader = answer.body?.getReader();
  // The provider has not ended, so the chunk was not buffered.
  expect(new TextDecoder().decode((await reader?.read())?.value)).toContain("first");
  const left = new Promise((resolve) => provider?.on("close", resolve));
  await reader?.cancel();
  await left;
  await expect.poll(() => logged(gateway)).toMatchObject([{ success: true, tokens_out: 2 }]);
});
