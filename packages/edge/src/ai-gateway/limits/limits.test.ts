import { describe, expect, test } from "vitest";
import { chat, logged, startTestGateway, type TestGateway } from "../testing/test-gateway.ts";

interface Question {
  metadata?: Record<string, string>;
  model?: string;
  content?: string;
}

/** Sends a request. @returns the status, with the code of an error */
async function ask(gateway: TestGateway, { metadata = {}, model = "mock", content = "hello" }: Question = {}) {
  const answer = await gateway.send("openai/chat/completions", chat(content, { model }), {
    "cf-aig-metadata": JSON.stringify(metadata),
  });
  const { error } = (await answer.json()) as { error?: { code: number; message: string }[] };
  return answer.status === 200 ? 200 : [answer.status, error?.[0]?.code];
}

const seconds = (gateway: TestGateway, count: number) => {
  gateway.clock.now += count * 1000;
};

describe("a limit of requests", () => {
  const limited = (technique: "fixed" | "sliding") =>
    startTestGateway({
      gateway: { rate_limiting_interval: 60, rate_limiting_limit: 2, rate_limiting_technique: technique },
    });

  test("of fixed windows resets with each minute of the clock", async () => {
    const gateway = await limited("fixed");
    seconds(gateway, 50);
    expect([await ask(gateway), await ask(gateway)]).toEqual([200, 200]);
    expect(await ask(gateway)).toEqual([429, 2003]);
    seconds(gateway, 10);
    expect([await ask(gateway), await ask(gateway)]).toEqual([200, 200]);
    expect(await ask(gateway)).toEqual([429, 2003]);
    const statuses = (await logged(gateway)).map(({ status_code }) => status_code);
    expect(statuses.filter((status) => status === 429)).toHaveLength(2);
  });

  test("that slides counts the last minute's requests", async () => {
    const gateway = await limited("sliding");
    seconds(gateway, 50);
    expect([await ask(gateway), await ask(gateway)]).toEqual([200, 200]);
    seconds(gateway, 59);
    expect(await ask(gateway)).toEqual([429, 2003]);
    seconds(gateway, 1);
    expect(await ask(gateway)).toBe(200);
  });
});

describe("a limit of what is spent", () => {
  const spending = (rule: object, more: object = {}) =>
    startTestGateway({
      gateway: {
        ...more,
        spend_limits: { enabled: true, rules: [{ id: "r", limitType: "cost", limit: 0.00001, window: 60, ...rule }] },
      },
    });

  test("completes the request that exceeds it, and rejects others until the window ends", async () => {
    const gateway = await spending({});
    expect(await ask(gateway)).toBe(200);
    const answer = await gateway.send("openai/chat/completions", chat("hello"));
    expect(answer.status).toBe(429);
    const message = "Spend limit exceeded: rule 'r' (cost limit 0.00001 per 60s, fixed) for openai mock";
    expect(await answer.json()).toMatchObject({ error: [{ code: 2045, message }] });
    seconds(gateway, 60);
    expect(await ask(gateway)).toBe(200);
  });

  test("that slides counts the previous window proportionally", async () => {
    const gateway = await spending({ technique: "sliding" });
    await ask(gateway);
    // The cost is a multiple of the limit, so only a part of the previous window may count.
    const [entry] = await logged(gateway);
    const free = 60 + 60 * (1 - 0.00001 / (entry?.cost ?? 0));
    seconds(gateway, Math.floor(free) - 1);
    expect(await ask(gateway)).toEqual([429, 2045]);
    seconds(gateway, 3);
    expect(await ask(gateway)).toBe(200);
  });

  test("applies per value of metadata, or to the values that it names", async () => {
    const each = await spending({ metadata: { tenant: { mode: "partition" } } });
    const acme = { metadata: { tenant: "acme" } };
    expect([await ask(each, acme), await ask(each, acme)]).toEqual([200, [429, 2045]]);
    expect(await ask(each, { metadata: { tenant: "hooli" } })).toBe(200);
    expect([await ask(each), await ask(each)]).toEqual([200, 200]);

    const one = await spending({ metadata: { tenant: { mode: "filter", values: ["acme"] } } });
    expect([await ask(one, acme), await ask(one, acme)]).toEqual([200, [429, 2045]]);
    const hooli = { metadata: { tenant: "hooli" } };
    expect([await ask(one, hooli), await ask(one, hooli)]).toEqual([200, 200]);
  });

  test("applies to the models and providers that it names", async () => {
    for (const rule of [
      { model: { mode: "filter", values: ["openai/mock"] } },
      { model: { mode: "filter", values: ["mock"] }, provider: { mode: "filter", values: ["openai"] } },
    ]) {
      const gateway = await spending(rule);
      expect([await ask(gateway), await ask(gateway)]).toEqual([200, [429, 2045]]);
      expect(await ask(gateway, { model: "gpt-4o" })).toBe(200);
    }
    const other = await spending({ provider: { mode: "filter", values: ["anthropic"] } });
    expect([await ask(other), await ask(other)]).toEqual([200, 200]);
  });

  test("does not block cached responses, counts custom costs, and can be disabled", async () => {
    const cached = await spending({}, { cache_ttl: 600 });
    expect([await ask(cached), await ask(cached)]).toEqual([200, 200]);
    expect(await ask(cached, { content: "another" })).toEqual([429, 2045]);

    const custom = await spending({ limit: 1 });
    await custom.send("openai/chat/completions", chat("hello"), { "cf-aig-custom-cost": `{"total_cost":1}` });
    expect(await ask(custom)).toEqual([429, 2045]);
    expect(await logged(custom)).toMatchObject([{ cost: 0 }, { cost: 1, custom_cost: true }]);

    const off = await spending({ enabled: false });
    expect([await ask(off), await ask(off)]).toEqual([200, 200]);
  });
});
