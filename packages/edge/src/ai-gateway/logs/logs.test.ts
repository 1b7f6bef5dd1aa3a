/** Logs as the official SDK reads them. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { account_id } from "../../cloudflare/api/testing/api-server.ts";
import { GatewayState } from "../state.ts";
import { chat, logged, settings, startTestGateway } from "../testing/test-gateway.ts";
import type { LogEntry } from "./log-entry.ts";

const path = "openai/chat/completions";

function directory(): string {
  const path = mkdtempSync(join(tmpdir(), "edge-test-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

const entry = (id: string, more: Partial<LogEntry> = {}): LogEntry => ({
  id,
  created_at: "2026-11-22T12:00:00.000Z",
  duration: 5,
  provider: "openai",
  model: "mock",
  path: "chat/completions",
  success: true,
  cached: false,
  status_code: 200,
  tokens_in: 1,
  tokens_out: 2,
  cost: 0.5,
  custom_cost: false,
  metadata: {},
  request_content_type: "application/json",
  response_content_type: "application/json",
  step: 0,
  dlp: undefined,
  ...more,
});

test("has the fields that the SDK declares, and no secrets", async () => {
  const gateway = await startTestGateway();
  const secrets = { authorization: "Bearer sk-very-secret", "x-api-key": "sk-very-secret" };
  const metadata = JSON.stringify({ tenant: "acme", seats: 3, test: true, four: 4, five: 5, six: 6 });
  const answer = await gateway.send(`${path}?key=sk-very-secret`, chat("hello"), {
    ...secrets,
    "cf-aig-metadata": metadata,
    "cf-aig-authorization": "Bearer sk-very-secret",
  });
  const id = answer.headers.get("cf-aig-log-id") ?? "";
  const [listed] = await logged(gateway);
  const { usage } = (await answer.json()) as { usage: { prompt_tokens: number; completion_tokens: number } };
  expect(listed).toEqual({
    id,
    created_at: "2026-11-22T12:00:00.000Z",
    duration: 0,
    provider: "openai",
    model: "mock",
    path: "chat/completions",
    success: true,
    cached: false,
    status_code: 200,
    tokens_in: usage.prompt_tokens,
    tokens_out: usage.completion_tokens,
    cost: (usage.prompt_tokens * 1 + usage.completion_tokens * 2) / 1_000_000,
    custom_cost: false,
    metadata: JSON.stringify({ tenant: "acme", seats: 3, test: true, four: 4, five: 5 }),
    request_content_type: "application/json",
    response_content_type: "application/json",
    step: 0,
  });
  const { logs } = gateway.cloudflare.aiGateway;
  const of = { account_id, gateway_id: gateway.gatewayId };
  const details = await logs.get(id, of);
  expect(details).toMatchObject({ request_head: JSON.stringify(chat("hello")), request_head_complete: true });
  expect(await logs.request(id, of)).toEqual(chat("hello"));
  expect(await logs.response(id, of)).toMatchObject({ object: "chat.completion" });
  expect(JSON.stringify([listed, details])).not.toContain("very-secret");
});

test("logs a stream at its end, with the provider's tokens or an estimate", async () => {
  const gateway = await startTestGateway();
  const asked = chat("hello", { stream: true, stream_options: { include_usage: true } });
  const whole = await gateway.send(path, asked);
  const counted = /"total_tokens":(\d+)/.exec(await whole.text())?.[1];
  await (await gateway.send(path, chat("hello", { stream: true }))).text();
  await (await gateway.send("anthropic/v1/messages", { ...chat("hello", { stream: true }), max_tokens: 9 })).text();
  const [anthropic, estimated, first] = await logged(gateway);
  expect((first?.tokens_in ?? 0) + (first?.tokens_out ?? 0)).toBe(Number(counted));
  expect(estimated?.tokens_out).toBeGreaterThan(0);
  expect(anthropic).toMatchObject({ provider: "anthropic", tokens_in: first?.tokens_in });
  expect(first?.response_content_type).toContain("text/event-stream");
});

test("logs according to the settings of the gateway or the headers of the request", async () => {
  const gateway = await startTestGateway();
  const ask = (headers: Record<string, string> = {}) => gateway.send(path, chat("hello"), headers);
  const without = await ask({ "cf-aig-collect-log": "false" });
  expect(without.headers.get("cf-aig-log-id")).toBeNull();
  const bare = await ask({ "cf-aig-collect-log-payload": "false" });
  const of = { account_id, gateway_id: gateway.gatewayId };
  const { logs } = gateway.cloudflare.aiGateway;
  const id = bare.headers.get("cf-aig-log-id") ?? "";
  expect((await logs.get(id, of)).request_head).toBeUndefined();
  await expect(logs.request(id, of)).rejects.toMatchObject({ status: 404 });

  await gateway.cloudflare.aiGateway.update(gateway.gatewayId, { account_id, ...settings, collect_logs: false });
  await ask();
  await ask({ "cf-aig-collect-log": "true" });
  expect(await logged(gateway)).toHaveLength(2);
});

test("lists entries newest first, in pages, with filters and search", async () => {
  const gateway = await startTestGateway();
  const { logs } = gateway.cloudflare.aiGateway;
  for (const [minute, user] of ["ada", "bob", "ada"].entries()) {
    gateway.clock.now = Date.parse(`2026-11-22T12:0${minute}:00Z`);
    await gateway.send(path, chat("hello"), { "cf-aig-metadata": JSON.stringify({ user }) });
  }
  await gateway.send("anthropic/v1/messages", { model: "claude-haiku-4-5" });
  const found = async (query: object) => {
    const ids: string[] = [];
    for await (const item of logs.list(gateway.gatewayId, { account_id, per_page: 2, ...query }))
      ids.push(item.created_at);
    return ids.map((time) => Number(time.slice(15, 16)));
  };
  expect(await found({})).toEqual([2, 2, 1, 0]);
  expect(await found({ order_by: "created_at", order_by_direction: "asc" })).toEqual([0, 1, 2, 2]);
  expect(await found({ success: false })).toEqual([2]);
  expect(await found({ provider: "anthropic" })).toEqual([2]);
  expect(await found({ model: "mock", start_date: "2026-11-22T12:01:00Z" })).toEqual([2, 1]);
  expect(await found({ end_date: "2026-11-22T12:00:30Z" })).toEqual([0]);
  expect(await found({ search: "BOB" })).toEqual([1]);
  expect(await found({ cached: true })).toEqual([]);
  expect(await found({ min_cost: 0.000001, max_tokens_in: 100 })).toEqual([2, 1, 0]);
  expect(await found({ filters: [{ key: "metadata.value", operator: "eq", value: ["ada"] }] })).toEqual([2, 0]);
  const both = [
    { key: "metadata.key", operator: "eq", value: ["user"] },
    { key: "metadata.value", operator: "contains", value: ["o"] },
  ];
  expect(await found({ filters: both })).toEqual([1]);
  expect(await found({ filters: [{ key: "model", operator: "neq", value: ["mock", "gpt-4o"] }] })).toEqual([2]);
  const json = new URLSearchParams({ filters: JSON.stringify(both), meta_info: "true" });
  const raw = await fetch(`${gateway.url}/accounts/${account_id}/ai-gateway/gateways/pool-a/logs?${json}`, {
    headers: { authorization: `Bearer ${gateway.apiToken}` },
  });
  expect(await raw.json()).toMatchObject({ result_info: { total_count: 1, max_tokens_in: 2, min_duration: 0 } });
  await expect(found({ order_by: "nothing" })).rejects.toMatchObject({ status: 400 });
  await expect(found({ start_date: "yesterday" })).rejects.toMatchObject({ status: 400 });

  await logs.delete(gateway.gatewayId, { account_id, limit: 1, order_by: "created_at", order_by_direction: "asc" });
  expect(await found({})).toEqual([2, 2, 1]);
  await logs.delete(gateway.gatewayId, { account_id });
  expect(await found({})).toEqual([]);
});

test("removes the log with its gateway", async () => {
  const gateway = await startTestGateway();
  await gateway.send(path, chat("hello"));
  await gateway.cloudflare.aiGateway.delete(gateway.gatewayId, { account_id });
  await gateway.cloudflare.aiGateway.create({ account_id, id: gateway.gatewayId, ...settings });
  expect(await logged(gateway)).toEqual([]);
});

test("persists entries, separately for each gateway", () => {
  const state = directory();
  const first = new GatewayState(state);
  first.logs.add("pool-a", entry("one"), { request: "asked", response: "answered" });
  first.close();
  const second = new GatewayState(state);
  onTestFinished(() => second.close());
  expect(second.logs.get("pool-a", "one")).toMatchObject({ request: { text: "asked", size: 5 } });
  expect(second.logs.get("pool-b", "one")).toBeUndefined();
  expect(readFileSync(join(state, "ai-gateway.sqlite")).length).toBeGreaterThan(0);
});

test("ignores entries after the end of the edge", () => {
  const state = new GatewayState(directory());
  state.close();
  state.logs.add("pool-a", entry("one"));
  const limits = { rules: [{ limitType: "cost" as const, limit: 1, window: 60 }] };
  state.spending.add(limits, { gateway: "pool-a", provider: "openai", model: "mock", metadata: {} }, 1, 0);
});

test("deletes the oldest entries or stops inserting above the limit", () => {
  const state = new GatewayState(directory());
  onTestFinished(() => state.close());
  const { logs } = state;
  const ids = (gateway: string) =>
    logs
      .list(gateway, { filters: [], order: "created_at", descending: false, offset: 0, limit: 9 })
      .map(({ id }) => id);
  const retained = (gateway: string, strategy: "DELETE_OLDEST" | "STOP_INSERTING") => {
    for (const n of [1, 2, 3]) logs.add(gateway, entry(`${gateway}-${n}`), undefined, { most: 2, strategy });
    return ids(gateway);
  };
  expect(retained("a", "DELETE_OLDEST")).toEqual(["a-2", "a-3"]);
  expect(retained("b", "STOP_INSERTING")).toEqual(["b-1", "b-2"]);
  const large = "x".repeat(100_000);
  logs.add("c", entry("c-1"), { request: large, response: "" });
  expect(logs.get("c", "c-1")?.request).toMatchObject({ size: 100_000 });
  expect(logs.get("c", "c-1")?.request?.text.length).toBe(64_000);
});
