import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { HMAC_SCHEMES, type HmacScheme } from "./checks/hmac.ts";
import { WEBHOOK_KINDS } from "./kinds.ts";
import {
  NOW,
  requestOf,
  SAMPLES,
  SIGNABLE,
  signedSample,
  verify,
  verifySample,
  withHeaders,
} from "./testing/samples.ts";

const refused = (reason: string) => ({ outcome: "refused", reason });

describe.each(SIGNABLE)("%s", (kind) => {
  const { secrets, other, request } = SAMPLES[kind];

  test("accepts what the vendor signs", async () => {
    const verdict = await verifySample(kind, await signedSample(kind));
    expect(verdict).toMatchObject({ outcome: "verified", eventId: expect.stringMatching(/^[\x21-\x7e]{1,200}$/) });
  });

  test("refuses another secret, and accepts two while they are rotated", async () => {
    const signed = await signedSample(kind);
    expect(await verify(kind, other, signed)).toEqual(refused("signature_wrong"));
    expect(await verify(kind, [other, secrets], signed)).toMatchObject({ outcome: "verified" });
    expect(await verify(kind, [other, other], signed)).toEqual(refused("signature_wrong"));
    expect(await verify(kind, [], signed)).toEqual(refused("signature_wrong"));
  });

  test("refuses a request without a signature", async () => {
    expect(await verify(kind, secrets, request)).toEqual(refused("signature_missing"));
  });

  test("refuses other methods and subpaths before it reads the signature", async () => {
    const signed = await signedSample(kind);
    expect(await verify(kind, secrets, { ...signed, method: "PUT" })).toEqual(refused("method"));
    expect(await verify(kind, secrets, { ...signed, subpath: "../agent" })).toEqual(refused("subpath"));
  });

  test("throws for secrets that do not fit the schema, without their values", async () => {
    const names = Object.keys(secrets);
    for (const wrong of [{}, { ...secrets, extra: "sesame" }, Object.fromEntries(names.map((name) => [name, ""]))]) {
      const thrown = await verify(kind, wrong, request).catch((error: unknown) => error);
      expect(thrown).toBeInstanceOf(TypeError);
      expect(String(thrown)).not.toContain("sesame");
    }
  });

  test("documents its terms", () => {
    expect(WEBHOOK_KINDS[kind].documentation).toMatch(/^https:/);
  });
});

const TIMED = ["slack", "discord", "gitlab", "stripe", "standard-webhooks"] as const;

test.each(TIMED)("%s accepts five minutes of difference, in both directions, and no second more", async (kind) => {
  const signed = await signedSample(kind);
  for (const seconds of [-300, 0, 300])
    expect(await verifySample(kind, signed, NOW + seconds * 1_000)).toMatchObject({ outcome: "verified" });
  // The vendors' clocks have whole seconds: the last second is valid until its end.
  expect(await verifySample(kind, signed, NOW + 300_999)).toMatchObject({ outcome: "verified" });
  for (const seconds of [-301, 301, 86_400])
    expect(await verifySample(kind, signed, NOW + seconds * 1_000)).toEqual(refused("timestamp"));
});

test("accepts each of several signatures, and refuses many", async () => {
  const signed = await signedSample("stripe");
  const header = signed.headers.get("stripe-signature") ?? "";
  const [time = "", right = ""] = header.split(",");
  const wrong = `v1=${"0".repeat(64)}`;
  const verdict = async (...parts: string[]) =>
    (await verifySample("stripe", withHeaders(signed, { "stripe-signature": parts.join(",") }))).outcome;
  expect(await verdict(time, wrong, right)).toBe("verified");
  expect(await verdict(right, "v0=1", time)).toBe("verified");
  expect(await verdict(time, right.replace("v1", "v0"))).toBe("refused");
  expect(await verdict(time, time, right)).toBe("refused");
  expect(await verdict(time, ...Array(10).fill(wrong), right)).toBe("refused");

  const standard = await signedSample("standard-webhooks");
  const list = standard.headers.get("webhook-signature") ?? "";
  for (const [value, outcome] of [
    [`v1,AAAA v1a,BBBB ${list}`, "verified"],
    [list.replace("v1,", "v2,"), "refused"],
    [list.replace("v1,", ""), "refused"],
  ] as const)
    expect(
      await verifySample("standard-webhooks", withHeaders(standard, { "webhook-signature": value })),
    ).toMatchObject({
      outcome,
    });
});

test("refuses an id that moves the end of the timestamp into the body", async () => {
  const seconds = String(NOW / 1_000);
  const sent = requestOf(`${seconds}.5`, { headers: new Headers({ "webhook-id": "msg_1" }) });
  const signed = await signedSample("standard-webhooks", sent);
  expect(await verifySample("standard-webhooks", signed)).toMatchObject({ outcome: "verified" });
  const moved = withHeaders(signed, { "webhook-id": `msg_1.${seconds}` });
  const body = new TextEncoder().encode("5");
  expect(await verifySample("standard-webhooks", { ...moved, body })).toEqual(refused("signature_wrong"));
});

test("refuses headers that a proxy joined from two", async () => {
  for (const kind of Object.keys(HMAC_SCHEMES) as (keyof typeof HMAC_SCHEMES)[]) {
    const { header, separator }: HmacScheme = HMAC_SCHEMES[kind](SAMPLES[kind].secrets);
    if (separator !== undefined) continue;
    const signed = await signedSample(kind);
    signed.headers.append(header, signed.headers.get(header) ?? "");
    expect(await verifySample(kind, signed), kind).toEqual(refused("signature_wrong"));
  }
});

test("openclaw takes either header and mapped names, and no token in the query", async () => {
  const { secrets, request } = SAMPLES.openclaw;
  const own = withHeaders(request, { "x-openclaw-token": "hook-token" });
  expect(await verify("openclaw", secrets, own)).toMatchObject({ outcome: "verified" });
  expect(await verify("openclaw", secrets, { ...own, subpath: "gmail-2" })).toMatchObject({ outcome: "verified" });
  for (const subpath of ["", "a/b", "-a", "%61gent", "agent/"])
    expect(await verify("openclaw", secrets, { ...own, subpath })).toEqual(refused("subpath"));
  const query = new URLSearchParams({ token: "hook-token" });
  expect(await verify("openclaw", secrets, { ...request, query })).toEqual(refused("malformed"));
  expect(await verify("openclaw", secrets, { ...own, query })).toEqual(refused("malformed"));
  // As OpenClaw does, `Authorization` is read first.
  const wrong = withHeaders(own, { authorization: "Bearer wrong" });
  expect(await verify("openclaw", secrets, wrong)).toEqual(refused("signature_wrong"));
});

test.each([
  ["Bearer abc", "verified"],
  ["bearer   abc", "verified"],
  ["Basic abc", "refused"],
  ["Bearer", "refused"],
  ["abc", "refused"],
  ["Bearer abc d", "refused"],
  ["Bearer abc, Bearer abc", "refused"],
])("bearer: authorization %s is %s", async (authorization, outcome) => {
  const request = requestOf("", { headers: new Headers({ authorization }) });
  expect(await verify("bearer", { token: "abc" }, request)).toMatchObject({ outcome });
});

test("gitlab reads the token only without a signing token", async () => {
  const request = requestOf("{}", { headers: new Headers({ "x-gitlab-token": "mytoken" }) });
  expect(await verify("gitlab", { token: "mytoken" }, request)).toMatchObject({ outcome: "verified" });
  expect(await verify("gitlab", { token: "mytoken2" }, request)).toEqual(refused("signature_wrong"));
  const signing = { ...SAMPLES.gitlab.secrets, token: "mytoken" };
  expect(await verify("gitlab", signing, request)).toEqual(refused("signature_missing"));
});

test("hmac accepts each algorithm and encoding, and hexadecimal digits in both cases", async () => {
  const request = requestOf("body");
  for (const algorithm of ["sha1", "sha256", "sha512"])
    for (const encoding of ["hex", "base64"]) {
      const secrets = { secret: "key", algorithm, encoding };
      const value = createHmac(algorithm, "key")
        .update("body")
        .digest(encoding as "hex" | "base64");
      const signed = withHeaders(request, { "x-signature": value });
      expect(await verify("hmac", secrets, signed), `${algorithm} ${encoding}`).toMatchObject({ outcome: "verified" });
      const upper = withHeaders(request, { "x-signature": value.toUpperCase() });
      const outcome = encoding === "hex" ? "verified" : "refused";
      expect(await verify("hmac", secrets, upper), `${algorithm} ${encoding}`).toMatchObject({ outcome });
    }
});

test.each(["whatsapp", "messenger"] as const)("%s answers the challenge with the right token", async (kind) => {
  const { secrets } = SAMPLES[kind];
  // developers.facebook.com/docs/graph-api/webhooks/getting-started#verification-requests
  const asked = (fields: Record<string, string>) =>
    verify(kind, secrets, requestOf("", { method: "GET", query: new URLSearchParams(fields) }));
  const valid = { "hub.mode": "subscribe", "hub.challenge": "1158201444", "hub.verify_token": "meatyhamhock" };
  const headers = { "content-type": "text/plain" };
  expect(await asked(valid)).toEqual({ outcome: "answered", status: 200, headers, body: "1158201444" });
  expect(await asked({ ...valid, "hub.verify_token": "meatyhamhocK" })).toEqual(refused("signature_wrong"));
  expect(await asked({ ...valid, "hub.verify_token": "" })).toEqual(refused("signature_missing"));
  expect(await asked({ ...valid, "hub.mode": "unsubscribe" })).toEqual(refused("malformed"));
  expect(await asked({ ...valid, "hub.challenge": "<script>" })).toEqual(refused("malformed"));
  const twice = new URLSearchParams([...Object.entries(valid), ["hub.verify_token", "x"]]);
  expect(await verify(kind, secrets, requestOf("", { method: "GET", query: twice }))).toEqual(refused("malformed"));
});
