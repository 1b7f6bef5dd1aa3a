/** The headers of model calls as the AI gateway receives them. */
import { describe, expect } from "vitest";
import { NO_PROVIDER_KEY } from "#workers/contracts/tenant/sandbox.ts";
import { AI_TOKEN, CHAT, test } from "./testing/model-call-tenant.ts";

describe("a caller's headers", () => {
  const own = { tenant: "acme~2", environment: "development", plan: "pro" };

  test("cannot override tenant and environment in the metadata, and add entries up to the vendor's limit of five", async ({
    receivedCall,
  }) => {
    const metadataOf = async (metadata: string) =>
      JSON.parse(String((await receivedCall(CHAT, { "cf-aig-metadata": metadata })).headers["cf-aig-metadata"]));
    expect(await metadataOf('{"tenant":"hooli","environment":"x","team":"\\u00fc"}')).toEqual({ ...own, team: "ü" });
    const many = Object.keys(await metadataOf('{"a":1,"b":2,"tenant":"hooli","c":true,"d":4,"cf.user_id":"x"}'));
    expect(many).toEqual(["tenant", "environment", "plan", "a", "b"]);
    for (const invalid of ["{", "[1]", '{"a":{}}', "null", '"x"']) expect(await metadataOf(invalid)).toEqual(own);
    expect(await metadataOf('{"__proto__":"x","constructor":"y"}')).toMatchObject(own);
  });

  test("name the person in the metadata, or else in the body of a call that the Worker reads", async ({
    receivedCall,
  }) => {
    const metadataOf = async (metadata: object, body: object = {}) =>
      JSON.parse(
        String(
          (await receivedCall(CHAT, { "cf-aig-metadata": JSON.stringify(metadata) }, JSON.stringify(body))).headers[
            "cf-aig-metadata"
          ],
        ),
      );
    expect(await metadataOf({ a: 1, b: 2, person: "ada" }, { user: "bob" })).toEqual({ ...own, person: "ada", a: 1 });
    expect(await metadataOf({ a: 1, b: 2 }, { model: "openai/x", user: "bob" })).toEqual({
      ...own,
      person: "bob",
      a: 1,
    });
    for (const nobody of [{}, { person: 7 }, { person: "" }]) {
      expect(await metadataOf(nobody, { user: 7 })).toEqual(own);
    }
    expect((await metadataOf({ person: "x".repeat(999) })).person).toHaveLength(128);
  });

  test("are passed on unless they change who pays, the price or the log", async ({ receivedCall }) => {
    const passed = {
      "cf-aig-skip-cache": "true",
      "cf-aig-cache-ttl": "60",
      "cf-aig-request-timeout": "5000",
      "cf-aig-max-attempts": "2",
      "cf-aig-no-wholesale": "true",
      "x-stainless-lang": "js",
    };
    const removed = {
      "cf-aig-custom-cost": '{"total_cost":0}',
      "cf-aig-collect-log": "false",
      "cf-aig-collect-log-payload": "false",
      "cf-aig-byok-alias": "another",
      "cf-aig-cache-key": "shared",
      "cf-aig-event-id": "1",
      "cf-aig-zdr": "false",
      "cf-aig-to-come": "1",
      "cf-connecting-ip": "192.0.2.1",
      "x-forwarded-for": "192.0.2.1",
      forwarded: "for=192.0.2.1",
      "x-platform-role": "ROOT",
      cookie: "a=b",
    };
    const { headers } = await receivedCall(CHAT, { ...passed, ...removed, "cf-aig-authorization": "Bearer stolen" });
    expect(headers).toMatchObject({ ...passed, "cf-aig-authorization": `Bearer ${AI_TOKEN}` });
    for (const name of Object.keys(removed)) expect(headers).not.toHaveProperty(name);
  });
});

describe("a provider's key", () => {
  const none = { authorization: `Bearer ${NO_PROVIDER_KEY}` };

  test("is the platform's for the provider of the model or the path when the caller has none", async ({ keysOf }) => {
    for (const [model, key] of [
      ["openai/gpt-5-mini", "Bearer sk-openai"],
      ["anthropic/claude", "Bearer sk-ant"],
      ["workers-ai/@cf/meta/llama", `Bearer ${AI_TOKEN}`],
    ] as const)
      expect(await keysOf(CHAT, none, model)).toEqual({ authorization: key, apiKey: undefined });
    const anthropic = "/v1/account-1/pool-a/anthropic/v1/messages";
    expect(await keysOf(anthropic, { "x-api-key": NO_PROVIDER_KEY })).toEqual({
      authorization: undefined,
      apiKey: "sk-ant",
    });
  });

  test("is the caller's own when it has one", async ({ keysOf }) => {
    const own = { authorization: "Bearer sk-own", apiKey: undefined };
    expect(await keysOf(CHAT, { authorization: "Bearer sk-own" })).toEqual(own);
    expect(await keysOf(CHAT, { "x-api-key": "own" })).toEqual({ authorization: undefined, apiKey: "own" });
  });

  test("is absent when the platform has none, so that the AI gateway uses a stored one", async ({ keysOf }) => {
    const mistral = "/v1/account-1/pool-a/mistral/v1/chat/completions";
    expect(await keysOf(mistral, none)).toEqual({ authorization: undefined, apiKey: undefined });
    for (const model of ["mistral/small", "constructor/x", "gpt-5", "", undefined])
      expect(await keysOf(CHAT, none, model)).toEqual({ authorization: undefined, apiKey: undefined });
    const vendors = await keysOf("/v1/account-1/pool-a/workers-ai/v1/chat/completions", none);
    expect(vendors).toEqual({ authorization: `Bearer ${AI_TOKEN}`, apiKey: undefined });
  });
});
