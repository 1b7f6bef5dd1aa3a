import { expect, test } from "vitest";
import { account_id } from "../cloudflare/api/testing/api-server.ts";
import { chat, logged, settings, startTestGateway, type TestGateway } from "./testing/test-gateway.ts";

/** Returns the cache status of a response. */
async function status(gateway: TestGateway, content = "hello", headers: Record<string, string> = {}): Promise<unknown> {
  const answer = await gateway.send("openai/chat/completions", chat(content), headers);
  expect(await answer.json()).toMatchObject({ object: "chat.completion" });
  return answer.headers.get("cf-aig-cache-status");
}

test("caches identical requests of the same key until they expire", async () => {
  const gateway = await startTestGateway({ gateway: { cache_ttl: 60 } });
  expect(await status(gateway)).toBe("MISS");
  expect(await status(gateway)).toBe("HIT");
  expect(await status(gateway, "hello", { authorization: "Bearer another" })).toBe("MISS");
  expect(await status(gateway, "goodbye")).toBe("MISS");
  expect(await status(gateway, "hello", { "cf-aig-skip-cache": "true" })).toBe("MISS");
  gateway.clock.now += 60_000;
  expect(await status(gateway)).toBe("MISS");
  const hits = (await logged(gateway)).filter(({ cached }) => cached);
  expect(hits).toMatchObject([{ cost: 0, tokens_in: 0, success: true }]);
});

test("caches nothing with a time of 0 unless a request sets one", async () => {
  const gateway = await startTestGateway();
  expect(await status(gateway)).toBe("MISS");
  expect(await status(gateway)).toBe("MISS");
  const asked = { "cf-aig-cache-ttl": "3600" };
  expect(await status(gateway, "hello", asked)).toBe("MISS");
  expect(await status(gateway, "hello", asked)).toBe("HIT");
  const own = { "cf-aig-cache-key": "greeting" };
  expect(await status(gateway, "hello", own)).toBe("MISS");
  expect(await status(gateway, "something else", own)).toBe("HIT");
});

test("does not cache streams and errors of the provider", async () => {
  const gateway = await startTestGateway({ gateway: { cache_ttl: 60 } });
  for (const body of [chat("hello", { stream: true }), { model: "mock" }]) {
    for (const _ of [1, 2]) {
      const answer = await gateway.send("openai/chat/completions", body);
      await answer.text();
      expect(answer.headers.get("cf-aig-cache-status")).toBe("MISS");
    }
  }
});

test("is invalidated by a change of the gateway when its settings say so", async () => {
  for (const [cache_invalidate_on_update, after] of [
    [true, "MISS"],
    [false, "HIT"],
  ] as const) {
    const changed = { cache_ttl: 60, cache_invalidate_on_update };
    const gateway = await startTestGateway({ gateway: changed });
    await status(gateway);
    await gateway.cloudflare.aiGateway.update(gateway.gatewayId, { account_id, ...settings, ...changed });
    expect(await status(gateway)).toBe(after);
  }
});
