/** Calls that are passed on to a provider in earnest, which here is a server of the test's own. */
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

test("keys come from the environment, and there are none without", () => {
  expect(providerAccounts({})).toEqual({});
  expect(providerAccounts({ OPENAI_API_KEY: "", ANTHROPIC_API_KEY: "k" })).toEqual({ anthropic: { key: "k" } });
});

test("a call arrives as it was sent, without what is the gateway's, and its answer as it was given", async () => {
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
  const [asked] = provider.asked;
  expect(asked).toMatchObject({ method: "POST", url: "/chat/completions?beta=1" });
  expect(JSON.parse(asked?.body ?? "")).toEqual(chat("hello", { model: "gpt-4o" }));
  expect(asked?.headers).toMatchObject({ authorization: "Bearer the-client's-own", "openai-organization": "org" });
  expect(Object.keys(asked?.headers ?? {}).filter((name) => /^cf-|cookie/.test(name))).toEqual([]);
  expect(await logged(gateway)).toMatchObject([{ tokens_in: 1000, tokens_out: 100, cost: 0.0035 }]);
});

test("the edge's own key is used where the client has none, and never is a gateway's token passed on", async () => {
  const { provider, gateway } = await passing(json({}));
  const token = await makeToken(gateway);
  const keys = async (path: string, headers: Record<string, string>) => {
    await gateway.send(path, { ...chat("hello"), model: "anthropic/claude-haiku-4-5" }, headers);
    const { authorization, "x-api-key": key, "anthropic-version": version } = provider.asked.at(-1)?.headers ?? {};
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
  expect(provider.asked.at(-1)).toMatchObject({ url: "/v1/chat/completions" });
  expect(JSON.parse(provider.asked.at(-1)?.body ?? "")).toMatchObject({ model: "claude-haiku-4-5" });
});

test("what the provider refuses is passed on, and logged as no success", async () => {
  const { gateway } = await passing(json({ error: { message: "no" } }, 401));
  const answer = await gateway.send("openai/chat/completions", chat("hello"));
  expect([answer.status, await answer.json()]).toEqual([401, { error: { message: "no" } }]);
  expect(await logged(gateway)).toMatchObject([{ success: false, status_code: 401, tokens_in: 0, cost: 0 }]);
});

test("a provider that cannot be reached, or breaks off, is a refusal of the gateway's", async () => {
  const { gateway } = await passing((response) => {
    response.writeHead(200, { "content-type": "application/json", "content-length": "100" });
    response.write("{");
    response.destroy();
  });
  const answer = await gateway.send("openai/chat/completions", chat("hello"));
  expect([answer.status, await answer.json()]).toMatchObject([502, { success: false, error: [{ code: 2002 }] }]);
  expect(gateway.faults).toEqual([]);
});

test("a stream is passed on piece by piece, and logged when the client leaves it", async () => {
  let provider: ServerResponse | undefined;
  const { gateway } = await passing((response) => {
    provider = response;
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(`data: {"choices":[{"index":0,"delta":{"content":"first"}}]}\n\n`);
  });
  const answer = await gateway.send("openai/chat/completions", chat("hello", { stream: true }));
  const reader = answer.body?.getReader();
  // The provider has not ended: what comes was not held back.
  expect(new TextDecoder().decode((await reader?.read())?.value)).toContain("first");
  const left = new Promise((resolve) => provider?.on("close", resolve));
  await reader?.cancel();
  await left;
  await expect.poll(() => logged(gateway)).toMatchObject([{ success: true, tokens_out: 2 }]);
});
