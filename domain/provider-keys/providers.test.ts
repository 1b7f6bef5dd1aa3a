import { describe, expect, test } from "vitest";
import { KEY_PROVIDERS, keyHeaders, keyProviders, PROVIDER_KEY, providerKeyState } from "./providers.ts";
import { hideKey } from "./redaction.ts";
import { refusalOfKey } from "./refusals.ts";

const KEY = "sk-proj-Zq81LmX0aBcDeFgHiJkLmNoPqRsTuVwXyZ0123";
const refusal = (provider: (typeof keyProviders)[number], status: number, body: unknown) =>
  refusalOfKey(provider, KEY, { status, body: typeof body === "string" ? body : JSON.stringify(body) });

describe("a refusal of the provider", () => {
  // As each provider's documentation or clients quote it.
  test.for([
    [
      "openai",
      401,
      { error: { message: "Incorrect API key provided: sk-proj-****0123.", code: "invalid_api_key" } },
      "rejected",
    ],
    [
      "anthropic",
      401,
      { type: "error", error: { type: "authentication_error", message: "invalid x-api-key" } },
      "rejected",
    ],
    ["anthropic", 403, { type: "error", error: { type: "permission_error", message: "Not allowed" } }, "rejected"],
    [
      "google-ai-studio",
      400,
      { error: { message: "API key not valid.", details: [{ reason: "API_KEY_INVALID" }] } },
      "rejected",
    ],
    [
      "google-ai-studio",
      400,
      [{ error: { message: "API key not valid.", details: [{ reason: "API_KEY_INVALID" }] } }],
      "rejected",
    ],
    ["grok", 400, { code: "invalid", error: "Incorrect API key provided: xa***23." }, "rejected"],
    ["mistral", 401, { detail: "Unauthorized" }, "rejected"],
    ["mistral", 401, { message: "Unauthorized" }, "rejected"],
    [
      "openai",
      429,
      { error: { message: "You exceeded your current quota.", code: "insufficient_quota" } },
      "quota_exceeded",
    ],
    [
      "anthropic",
      400,
      { error: { type: "invalid_request_error", message: "Your credit balance is too low" } },
      "quota_exceeded",
    ],
    ["deepseek", 402, { error: { message: "Insufficient Balance" } }, "quota_exceeded"],
    ["openai", 429, { error: { message: "Rate limit reached", code: "rate_limit_exceeded" } }, "rate_limited"],
  ] as const)("is a fault of the key: %s %i", ([provider, status, body, fault]) => {
    expect(refusal(provider, status, body)).toEqual({ fault, message: expect.stringMatching(/\S/) });
  });

  test.for([
    ["an error of the request", 400, { error: { message: "messages is required" } }],
    ["a missing model", 404, { error: { message: "no such model" } }],
    ["an outage", 503, { error: { message: "insufficient_quota" } }],
    ["the AI gateway's spend limit", 429, { success: false, error: [{ code: 2045, message: "Spend limit exceeded" }] }],
    ["the AI gateway's token", 401, { success: false, error: [{ code: 2009, message: "Unauthorized" }], message: "x" }],
    ["a page of a proxy", 403, "<html>"],
    ["an empty body", 401, ""],
    ["another form", 401, { error: 7 }],
  ] as const)("says nothing of the key: %s", ([, status, body]) => {
    expect(refusal("openai", status, body)).toBeUndefined();
  });

  test("is shown without the key and without control characters, shortened", () => {
    const message = `Bad\u0000\n key ${KEY} ${"x".repeat(400)}`;
    const shown = refusal("openai", 401, { error: { message } })?.message ?? "";
    expect(shown).toMatch(/^Bad key \*{46} x+…$/);
    expect(shown).toHaveLength(300);
  });
});

test("hides each part of a key, and leaves the length as it is", () => {
  const part = KEY.slice(10, 30);
  const text = `a ${KEY} b ${part}${part} c ${KEY.slice(0, 7)}…${KEY.slice(-4)}`;
  const shown = hideKey(text, KEY);
  expect(shown).toBe(`a ${"*".repeat(KEY.length)} b ${"*".repeat(40)} c sk-proj…0123`);
  expect(shown).toHaveLength(text.length);
  expect(hideKey("short", KEY)).toBe("short");
});

test("describes each provider once, with an address that needs the key", () => {
  for (const provider of keyProviders) {
    const { api, check, label } = KEY_PROVIDERS[provider];
    expect(new URL(api + check).protocol).toBe("https:");
    expect(label).not.toBe("");
    expect(Object.values(keyHeaders(provider, "k")).join()).toMatch(/^(?:Bearer )?k$/);
  }
});

test("accepts keys as providers write them, and no character that a header or JSON would change", () => {
  for (const key of [KEY, "AIzaSyA0123456789_abcdefghijklmnopqrstu", "sk-or-v1-0123456789abcdef", "a".repeat(512)])
    expect(key).toMatch(PROVIDER_KEY);
  for (const key of [
    "",
    "short",
    `${KEY}\n`,
    `${KEY}\r\nx-a: b`,
    `${KEY} `,
    `${KEY}"`,
    `${KEY}ü`,
    `\u0000${KEY}`,
    "a".repeat(513),
  ])
    expect(key).not.toMatch(PROVIDER_KEY);
});

test("derives the state of a key from its row", () => {
  const pushed_at = new Date();
  expect(providerKeyState({ fault: null, pushed_at: null })).toBe("pushing");
  expect(providerKeyState({ fault: null, pushed_at })).toBe("active");
  for (const fault of ["push_failed", "rejected", "quota_exceeded", "rate_limited"] as const)
    expect(providerKeyState({ fault, pushed_at })).toBe(fault);
});
