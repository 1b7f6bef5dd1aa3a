import OpenAI from "openai";
import { describe, expect, test } from "vitest";
import { account_id } from "../../cloudflare/api/testing/api-server.ts";
import { chat, logged, startTestGateway } from "../testing/test-gateway.ts";

const FINANCIAL_INFORMATION = "e91a2360-da51-4fdf-9711-bcdecd462614";
const card = "My card is 4111 1111 1111 1111.";
const path = "openai/chat/completions";

const simple = (action: "FLAG" | "BLOCK", profiles = [FINANCIAL_INFORMATION]) => ({
  gateway: { dlp: { enabled: true, action, profiles } },
});
const policies = (check: ("REQUEST" | "RESPONSE")[], action = "BLOCK", enabled = true) => ({
  gateway: {
    dlp: {
      enabled: true,
      policies: [{ id: "cards", enabled, action, check, profiles: [FINANCIAL_INFORMATION] }],
    },
  },
});
const finding = (check: string, policy_ids: string[]) => ({
  profile: { context: {}, entry_ids: ["visa-card-number"], profile_id: FINANCIAL_INFORMATION },
  policy_ids,
  check,
});

describe("settings of one action", () => {
  test("that flag pass the request, and mark response and log", async () => {
    const gateway = await startTestGateway(simple("FLAG"));
    const answer = await gateway.send(path, chat(card));
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.headers.get("cf-aig-dlp") ?? "")).toEqual({
      // The mock repeats it.
      findings: [finding("REQUEST", []), finding("RESPONSE", [])],
      action: "FLAG",
    });
    expect(await logged(gateway)).toMatchObject([{ success: true, dlp_action: "FLAG" }]);
  });

  test("that block return the vendor's error without calling the provider", async () => {
    const gateway = await startTestGateway(simple("BLOCK"));
    const answer = await gateway.send(path, chat(card));
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      success: false,
      error: [{ code: 2029, message: "Request content blocked due to DLP policy violations" }],
    });
    expect(JSON.parse(answer.headers.get("cf-aig-dlp") ?? "")).toMatchObject({ action: "BLOCK" });
    expect(await logged(gateway)).toMatchObject([
      { success: false, status_code: 400, tokens_in: 0, cost: 0, dlp_action: "BLOCK" },
    ]);
    const filters = (action: string) => [{ key: "dlp_action" as const, operator: "eq" as const, value: [action] }];
    for (const [action, count] of [
      ["BLOCK", 1],
      ["FLAG", 0],
    ] as const) {
      const list = { account_id, filters: filters(action) };
      expect((await gateway.cloudflare.aiGateway.logs.list(gateway.gatewayId, list)).result).toHaveLength(count);
    }
  });

  test("ignore text without a number, and unknown profiles", async () => {
    const gateway = await startTestGateway(simple("BLOCK"));
    const answer = await gateway.send(path, chat("My card is 4111 1111 1111 1112, by Visa."));
    expect([answer.status, answer.headers.get("cf-aig-dlp")]).toEqual([200, null]);
    const other = await startTestGateway(simple("BLOCK", ["a-profile-of-the-account"]));
    expect((await other.send(path, chat(card))).status).toBe(200);
  });
});

describe("policies", () => {
  test("apply to requests or responses", async () => {
    const requests = await startTestGateway(policies(["REQUEST"]));
    const answer = await requests.send(path, chat(card));
    expect(JSON.parse(answer.headers.get("cf-aig-dlp") ?? "").findings).toEqual([finding("REQUEST", ["cards"])]);

    const responses = await startTestGateway(policies(["RESPONSE"]));
    const blocked = await responses.send(path, chat(card));
    expect(blocked.status).toBe(400);
    expect(await blocked.json()).toMatchObject({ error: [{ code: 2030 }] });
    // The provider was called, which costs.
    const [entry] = await logged(responses);
    expect(entry).toMatchObject({ status_code: 400, dlp_action: "BLOCK" });
    expect(entry?.cost).toBeGreaterThan(0);
  });

  test("have no effect when they or all of them are off", async () => {
    const off = await startTestGateway(policies(["REQUEST", "RESPONSE"], "BLOCK", false));
    expect((await off.send(path, chat(card))).status).toBe(200);
    const all = await startTestGateway({
      gateway: { dlp: { enabled: false, action: "BLOCK", profiles: [FINANCIAL_INFORMATION] } },
    });
    expect((await all.send(path, chat(card))).status).toBe(200);
  });

  test("buffer a stream, and find a number across its chunks", async () => {
    const gateway = await startTestGateway(policies(["RESPONSE"]));
    const openai = new OpenAI({ apiKey: "unused", maxRetries: 0, baseURL: `${gateway.base}/openai` });
    const ask = (content: string) =>
      openai.chat.completions.create({ model: "mock", stream: true, messages: [{ role: "user", content }] });
    // The number is in several chunks.
    await expect(ask("4111 1111 1111 1111 it is")).rejects.toMatchObject({ status: 400, error: [{ code: 2030 }] });
    let text = "";
    for await (const chunk of await ask("4111 1111 1111 1112 it is")) text += chunk.choices[0]?.delta.content ?? "";
    expect(text).toContain("4111 1111 1111 1112");

    const anthropic = await gateway.send("anthropic/v1/messages", { ...chat(card), max_tokens: 5, stream: true });
    expect(anthropic.status).toBe(400);
  });
});
