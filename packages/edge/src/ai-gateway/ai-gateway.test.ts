import { describe, expect, test } from "vitest";
import { account_id } from "../cloudflare/api/testing/api-server.ts";
import { chat, logged, makeToken, settings, startTestGateway } from "./testing/test-gateway.ts";

async function codeOf(response: Response): Promise<unknown> {
  const body = (await response.json()) as { success: boolean; result: unknown; error: { code: number }[] };
  expect(body).toMatchObject({ success: false, result: [], messages: [] });
  return [response.status, body.error[0]?.code];
}

test("rejects an unknown gateway, account or provider with the vendor's body", async () => {
  const { base, send } = await startTestGateway();
  const sendTo = (from: string, to: string) =>
    fetch(`${base.replace(from, to)}/openai/chat/completions`, { method: "POST", body: JSON.stringify(chat("hello")) });
  expect(await codeOf(await sendTo("pool-a", "pool-b"))).toEqual([400, 2001]);
  expect(await codeOf(await sendTo(account_id, "f".repeat(32)))).toEqual([400, 2001]);
  expect(await codeOf(await send("unknown/v1/chat", chat("hello")))).toEqual([400, 2008]);
  expect(await codeOf(await send("constructor/v1/chat", chat("hello")))).toEqual([400, 2008]);
  expect(await codeOf(await send("compat/chat/completions", "no chat"))).toEqual([400, 2019]);
});

describe("a gateway that requires a token", () => {
  test("accepts an active token of the account with the permission, and no other", async () => {
    const gateway = await startTestGateway({ gateway: { authentication: true } });
    const ask = async (token?: string) =>
      (
        await gateway.send(
          "openai/chat/completions",
          chat("hello"),
          token === undefined ? {} : { "cf-aig-authorization": `Bearer ${token}` },
        )
      ).status;
    const token = await makeToken(gateway);
    expect(await ask(token)).toBe(200);
    expect(await codeOf(await gateway.send("openai/models"))).toEqual([401, 2009]);
    const others = [
      `${token}x`,
      gateway.apiToken,
      await makeToken(gateway, { group: "Workers Scripts Write" }),
      await makeToken(gateway, { account: "f".repeat(32) }),
      await makeToken(gateway, { status: "disabled" }),
    ];
    for (const other of others) expect(await ask(other)).toBe(401);
    // The key of the provider is not a token of the gateway.
    const asKey = await gateway.send("openai/models", undefined, { authorization: `Bearer ${token}` });
    expect(asKey.status).toBe(401);
  });

  test("rejects a deleted token and does not log rejected requests", async () => {
    const gateway = await startTestGateway({ gateway: { authentication: true } });
    const headers = { "cf-aig-authorization": `Bearer ${await makeToken(gateway)}` };
    expect((await gateway.send("openai/models", undefined, headers)).status).toBe(200);
    for await (const { id } of gateway.cloudflare.accounts.tokens.list({ account_id })) {
      await gateway.cloudflare.accounts.tokens.delete(id ?? "", { account_id });
    }
    expect((await gateway.send("openai/models", undefined, headers)).status).toBe(401);
    expect(await logged(gateway)).toHaveLength(1);
  });
});

describe("a request without a provider's key", () => {
  const ask = (gateway: Awaited<ReturnType<typeof startTestGateway>>, headers: Record<string, string>) =>
    gateway.send("openai/chat/completions", chat("hello"), headers);

  test("is refused if it, or the gateway, excludes unified billing", async () => {
    const gateway = await startTestGateway();
    const refusing = { "cf-aig-no-wholesale": "true" };
    expect((await ask(gateway, refusing)).status).toBe(400);
    const token = { authorization: `Bearer ${await makeToken(gateway)}` };
    expect((await ask(gateway, { ...refusing, ...token })).status).toBe(400);
    expect((await ask(gateway, { ...refusing, authorization: "Bearer sk-own" })).status).toBe(200);
    await gateway.cloudflare.aiGateway.update(gateway.gatewayId, { account_id, ...settings, byok_only: true });
    expect((await ask(gateway, { "cf-aig-no-wholesale": "false" })).status).toBe(400);
    expect((await ask(gateway, { "x-api-key": "own" })).status).toBe(200);
  });

  test("is refused if it names a stored key, because there is none", async () => {
    const gateway = await startTestGateway();
    expect((await ask(gateway, { "cf-aig-byok-alias": "acme" })).status).toBe(400);
    const own = { "cf-aig-byok-alias": "acme", authorization: "Bearer sk-own" };
    expect((await ask(gateway, own)).status).toBe(400);
  });
});

test("applies changes of a gateway at once", async () => {
  const { cloudflare, gatewayId, send } = await startTestGateway();
  expect((await send("openai/models")).status).toBe(200);
  await cloudflare.aiGateway.update(gatewayId, { account_id, ...settings, authentication: true });
  expect((await send("openai/models")).status).toBe(401);
  await cloudflare.aiGateway.delete(gatewayId, { account_id });
  expect(await codeOf(await send("openai/models"))).toEqual([400, 2001]);
});

test("rejects a body that is too large, with and without Content-Length", async () => {
  const { base } = await startTestGateway({ limits: { requestBody: 1_000 } });
  const ask = (body: BodyInit) =>
    fetch(`${base}/openai/chat/completions`, { method: "POST", body, duplex: "half" } as RequestInit);
  const large = new Uint8Array(1_001);
  const chunked = new ReadableStream({
    start(controller) {
      controller.enqueue(large);
      controller.close();
    },
  });
  expect((await ask(large)).status).toBe(413);
  expect((await ask(chunked)).status).toBe(413);
});
