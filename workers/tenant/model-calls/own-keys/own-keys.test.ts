import fc from "fast-check";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { OwnProviderKey } from "#workers/contracts/tenant/provider-keys.ts";
import { memoryStorage } from "../../sleep/testing/memory-storage.ts";
import { KeyCache } from "./key-cache.ts";
import { createKeyHider } from "./key-hider.ts";
import { responseWithoutKey } from "./key-response.ts";
import { type KeyOutcome, StoredProviderKeys } from "./stored-keys.ts";

const KEY = "sk-proj-Zq81LmX0aBcDeFgHiJkLmNoPqRsTuVwXyZ0123";
const openai = { id: "7b0a3c52-1d2e-4f60-8a9b-0c1d2e3f4a5b", provider: "openai", key: KEY } as const;
const anthropic = {
  id: "0b6f1a52-7c0e-4a0c-9a55-0e3f5a1d2c3b",
  provider: "anthropic",
  key: "sk-ant-0123456789",
} as const;

describe("keys in an isolate", () => {
  function open() {
    vi.useFakeTimers({ now: Date.parse("2026-11-26T10:00:10Z") });
    onTestFinished(() => void vi.useRealTimers());
    const supervisor = {
      modelCallTerms: vi.fn(async () => ({ keys: [openai] as OwnProviderKey[], isCapReached: false })),
      recordProviderKey: vi.fn(async (_id: string, _outcome: KeyOutcome) => {}),
    };
    const cache = new KeyCache();
    const keys = cache.keysOf(
      () => supervisor,
      () => {},
    );
    return { cache, supervisor, keys, list: async () => (await keys.terms()).keys };
  }

  test("are read every five seconds, and at once after they were replaced there", async () => {
    const { cache, supervisor, list } = open();
    expect([await list(), await list()]).toEqual([[openai], [openai]]);
    expect(supervisor.modelCallTerms).toHaveBeenCalledTimes(1);
    supervisor.modelCallTerms.mockResolvedValue({ keys: [], isCapReached: false });
    vi.advanceTimersByTime(4_999);
    expect(await list()).toEqual([openai]);
    vi.advanceTimersByTime(1);
    expect(await list()).toEqual([]);
    supervisor.modelCallTerms.mockResolvedValue({ keys: [openai], isCapReached: false });
    cache.forget();
    expect(await list()).toEqual([openai]);
  });

  test("are reported once a minute, and when the outcome changes or a report was lost", async () => {
    const { supervisor, keys } = open();
    const { recordProviderKey } = supervisor;
    for (const outcome of [null, null, rejected, rejected, null] as const) keys.record(openai.id, outcome);
    await vi.advanceTimersByTimeAsync(0);
    expect(recordProviderKey.mock.calls).toEqual([null, rejected, null].map((outcome) => [openai.id, outcome]));
    recordProviderKey.mockRejectedValueOnce(new Error("lost"));
    keys.record(openai.id, undefined);
    await vi.advanceTimersByTimeAsync(0);
    keys.record(openai.id, undefined);
    await vi.advanceTimersByTimeAsync(60_000);
    keys.record(openai.id, undefined);
    await vi.advanceTimersByTimeAsync(0);
    expect(recordProviderKey).toHaveBeenCalledTimes(6);
  });
});

const rejected = { fault: "rejected", message: "Incorrect API key" } as const;

describe("stored keys", () => {
  async function stored(at = { now: Date.parse("2026-11-26T10:00:30Z") }, storage = memoryStorage()) {
    const keys = new StoredProviderKeys(storage, () => at.now);
    await keys.load();
    return { at, keys, storage };
  }

  test("survive a restart of the object, with what providers say of them", async () => {
    const { keys, storage, at } = await stored();
    await keys.replace([openai, anthropic]);
    await keys.record(openai.id, rejected);
    const { keys: next } = await stored(at, storage);
    expect(next.current).toEqual([openai, anthropic]);
    expect(next.secrets).toEqual([openai.key, anthropic.key]);
    expect(next.report()).toEqual([
      {
        id: openai.id,
        lastUsedAt: "2026-11-26T10:00:00.000Z",
        fault: { kind: "rejected", message: "Incorrect API key", at: "2026-11-26T10:00:00.000Z" },
      },
      { id: anthropic.id, lastUsedAt: null, fault: null },
    ]);
    await next.replace([]);
    expect([await storage.get("provider-keys"), await storage.get("provider-key-reports")]).toEqual([undefined, []]);
  });

  test("lose a fault when the provider accepts the key, and keep it when a call says nothing", async () => {
    const { keys, at } = await stored();
    await keys.replace([openai]);
    await keys.record(openai.id, rejected);
    at.now += 60_000;
    await keys.record(openai.id, undefined);
    expect(keys.report()[0]).toMatchObject({ lastUsedAt: "2026-11-26T10:01:00.000Z", fault: { kind: "rejected" } });
    await keys.record(openai.id, null);
    expect(keys.report()[0]?.fault).toBeNull();
  });

  test("ignore the outcome of a key that was replaced meanwhile", async () => {
    const { keys } = await stored();
    await keys.replace([{ ...openai, id: anthropic.id }]);
    await keys.record(openai.id, rejected);
    expect(keys.report()).toEqual([{ id: anthropic.id, lastUsedAt: null, fault: null }]);
  });

  test("are written at most once a minute while nothing changes", async () => {
    const storage = memoryStorage();
    let writes = 0;
    const put = (key: string, value: unknown) => {
      writes += 1;
      return storage.put(key, value);
    };
    const counted = { ...storage, put };
    const { keys } = await stored(undefined, counted);
    await keys.replace([openai]);
    for (let times = 0; times < 3; times++) await keys.record(openai.id, null);
    for (let times = 0; times < 3; times++) await keys.record(openai.id, rejected);
    expect(writes).toBe(3);
  });
});

describe("a response", () => {
  const received = async (response: Response) => {
    const outcomes: KeyOutcome[] = [];
    const passed = await responseWithoutKey(response, openai, (outcome) => outcomes.push(outcome));
    return { passed, text: await passed.text(), outcomes };
  };

  test("has the key nowhere, whatever its parts", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(KEY, KEY.slice(0, 20), "sk-", "s", "ü", "data: x\n\n"), { maxLength: 8 }),
        fc.array(fc.nat(60), { maxLength: 12 }),
        async (parts, cuts) => {
          const bytes = new TextEncoder().encode(parts.join(""));
          const body = new ReadableStream<Uint8Array>({
            start(controller) {
              let from = 0;
              for (const length of [...cuts, bytes.length]) {
                controller.enqueue(bytes.slice(from, from + length));
                from += length;
              }
              controller.close();
            },
          });
          const { text } = await received(new Response(body));
          expect(text).toBe(parts.join("").replaceAll(KEY, "*".repeat(KEY.length)));
        },
      ),
    );
  });

  test("is not held back unless its end may begin the key", async () => {
    const hider = createKeyHider(KEY);
    const writer = hider.writable.getWriter();
    const reader = hider.readable.getReader();
    const write = (text: string) => void writer.write(new TextEncoder().encode(text));
    const read = async () => new TextDecoder().decode((await reader.read()).value);
    write("data: one\n\n");
    expect(await read()).toBe("data: one\n\n");
    write("data: sk-pr");
    expect(await read()).toBe("data: ");
    write("ove\n\n");
    expect(await read()).toBe("sk-prove\n\n");
  });

  test("keeps status, headers and length, without the key in a header", async () => {
    const headers = { "content-length": "2", location: `https://elsewhere.test/?k=${KEY}`, "retry-after": "7" };
    const { passed, text, outcomes } = await received(new Response("{}", { status: 307, headers }));
    expect([passed.status, text, outcomes]).toEqual([307, "{}", [undefined]]);
    expect(Object.fromEntries(passed.headers)).toMatchObject({
      "content-length": "2",
      location: `https://elsewhere.test/?k=${"*".repeat(KEY.length)}`,
      "retry-after": "7",
    });
    expect((await received(new Response(null, { status: 204 }))).outcomes).toEqual([null]);
  });

  test("has the provider's status and words for a refused key, and records them without the key", async () => {
    const body = { error: { message: `Incorrect API key provided: ${KEY}.`, code: "invalid_api_key" } };
    const { passed, text, outcomes } = await received(Response.json(body, { status: 401 }));
    const message = `Incorrect API key provided: ${"*".repeat(KEY.length)}.`;
    expect([passed.status, JSON.parse(text)]).toEqual([401, { error: { message, code: "invalid_api_key" } }]);
    expect(outcomes).toEqual([{ fault: "rejected", message }]);
  });

  test("of the AI gateway itself says nothing of the key", async () => {
    const body = { success: false, error: [{ code: 2045, message: "Spend limit exceeded" }] };
    const { passed, text, outcomes } = await received(Response.json(body, { status: 429 }));
    expect([passed.status, JSON.parse(text), outcomes]).toEqual([429, body, [undefined]]);
  });

  test("loses a body that is too large for an error", async () => {
    const { passed, text, outcomes } = await received(new Response(KEY.repeat(2_000), { status: 400 }));
    expect([passed.status, text, outcomes]).toEqual([400, "", [undefined]]);
  });
});
