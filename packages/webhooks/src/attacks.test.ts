/** Changed, malformed and re-encoded requests. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { WEBHOOK_KINDS } from "./kinds.ts";
import { type SignableKind, signWebhook } from "./sign.ts";
import {
  bytes,
  NOW,
  requestOf,
  SAMPLES,
  SIGNABLE,
  signedSample,
  verdictOn,
  verify,
  verifySample,
  withHeaders,
} from "./testing/samples.ts";

const RUNS = { numRuns: 30 };

/** Their vendors send a token that does not depend on the request. */
const TOKENS: readonly SignableKind[] = ["telegram", "openclaw", "bearer"];
const SIGNED = SIGNABLE.filter((kind) => !TOKENS.includes(kind));
/** A body that is not JSON is valid. */
const ANY_BODY: readonly SignableKind[] = ["github", "gitlab", "standard-webhooks", "openclaw", "hmac", "bearer"];
const JSON_BODY = SIGNABLE.filter((kind) => !ANY_BODY.includes(kind));

const wrong = { outcome: "refused", reason: "signature_wrong" };
const byte = fc.integer({ min: 0, max: 255 });
const printable = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code));

/** Replaces, inserts or removes one byte. */
const change = fc.record({ at: fc.nat(), value: byte, how: fc.constantFrom("replace", "insert", "remove") });
function changed(body: Uint8Array, { at, value, how }: { at: number; value: number; how: string }) {
  const place = at % (body.length + (how === "insert" ? 1 : 0) || 1);
  return new Uint8Array([
    ...body.slice(0, place),
    ...(how === "remove" ? [] : [value]),
    ...body.slice(place + (how === "insert" ? 0 : 1)),
  ]);
}

test.each(SIGNED)("%s refuses a changed body", async (kind) => {
  const signed = await signedSample(kind);
  const isSame = (body: Uint8Array) => Buffer.from(body).equals(signed.body);
  await fc.assert(
    fc.asyncProperty(change, async (one) => {
      const body = changed(signed.body, one);
      if (!isSame(body)) expect(await verifySample(kind, { ...signed, body })).toEqual(wrong);
    }),
    RUNS,
  );
  expect(await verifySample(kind, { ...signed, body: new Uint8Array(2_000) })).toEqual(wrong);
});

test.each(SIGNABLE)("%s refuses a changed character of its headers", async (kind) => {
  const signed = await signedSample(kind);
  const { secrets, signing = secrets, request } = SAMPLES[kind];
  const headers = Object.entries(await signWebhook(kind, signing, request, { now: NOW }));
  // Not read: the signing token decides.
  const names = headers.filter(([name]) => name !== "x-gitlab-token");
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...names), fc.nat(), printable, async ([name, value], at, character) => {
      const place = at % value.length;
      const other = value.slice(0, place) + character + value.slice(place + 1);
      // Schemes have no case (RFC 9110, section 11.1).
      if (other === value || other.replace(/^bearer/i, "Bearer") === value) return;
      const verdict = await verifySample(kind, withHeaders(signed, { [name]: other }));
      expect(verdict, `${name}: ${other}`).toMatchObject({ outcome: "refused" });
    }),
    { numRuns: 80 },
  );
});

test.each(SIGNABLE)("%s refuses malformed headers, and never throws", async (kind) => {
  const { secrets, signing = secrets, request } = SAMPLES[kind];
  const names = Object.keys(await signWebhook(kind, signing, request, { now: NOW }));
  const latin = fc.array(fc.integer({ min: 0x20, max: 0xff })).map((codes) => String.fromCharCode(...codes));
  const value = fc.oneof(
    latin,
    fc.constantFrom(
      ...[
        "",
        "v0=",
        "v0=zz",
        "sha256=",
        "sha256=%",
        "v1,",
        "v1,====",
        "t=,v1=",
        "t=1,v1=",
        "t=NaN,v1=0",
        "Bearer ",
        "-1",
        "1e9",
      ],
      ...["0x10", "Infinity", "9".repeat(400), "a".repeat(100_000), `${NOW / 1_000}`, ` ${NOW / 1_000}`, "v1,\u00e9"],
    ),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(value, { minLength: names.length, maxLength: names.length }), async (values) => {
      const headers = Object.fromEntries(names.map((name, at) => [name, values[at] ?? ""]));
      expect(await verifySample(kind, withHeaders(request, headers))).toMatchObject({ outcome: "refused" });
    }),
    { numRuns: 60 },
  );
});

test.each(SIGNABLE)("%s refuses the timestamp or id of another request", async (kind) => {
  const signed = await signedSample(kind);
  const later = await signedSample(kind, undefined, NOW + 1_000);
  for (const [name, value] of later.headers) {
    if (value === signed.headers.get(name) || !/timestamp/.test(name)) continue;
    expect(await verifySample(kind, withHeaders(signed, { [name]: value })), name).toEqual(wrong);
  }
  if (signed.headers.has("webhook-id") && signed.headers.has("webhook-signature"))
    expect(await verifySample(kind, withHeaders(signed, { "webhook-id": "msg_2" }))).toEqual(wrong);
});

test.each(SIGNABLE)("%s refuses another secret", async (kind) => {
  const { secrets } = SAMPLES[kind];
  const schema = WEBHOOK_KINDS[kind].secrets;
  // `verifyToken` is of the challenge, and GitLab's token is not read beside a signing token.
  const names = Object.keys(secrets).filter(
    (name) => !/^(verifyToken|token|header|algorithm|encoding|prefix)$/.test(name) || TOKENS.includes(kind),
  );
  const signed = await signedSample(kind);
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...names), fc.nat(), printable, async (name, at, character) => {
      const value = secrets[name] ?? "";
      const place = at % value.length;
      const other = { ...secrets, [name]: value.slice(0, place) + character + value.slice(place + 1) };
      const isValid = schema.safeParse(other).success;
      // The prefix `whsec_` of Standard Webhooks is no part of the secret.
      if (JSON.stringify(schema.safeParse(other).data) === JSON.stringify(schema.safeParse(secrets).data) || !isValid)
        return;
      expect(await verify(kind, other, signed)).toEqual(wrong);
    }),
    RUNS,
  );
});

describe.each(SIGNED)("%s refuses a body that was encoded again", (kind) => {
  const text =
    '{"id":"evt_1","update_id":1,"type":2,"text":"Jos\u00e9 \\u0065 1.0 \ud83d\ude00","entry":[],"events":[]}';
  const encodings: Record<string, (original: string) => Uint8Array> = {
    "with a byte order mark": (original) => bytes(`\ufeff${original}`),
    "in UTF-16": (original) => Buffer.from(original, "utf16le"),
    "in Latin-1": (original) => Buffer.from(original, "latin1"),
    "with a newline": (original) => bytes(`${original}\n`),
    "with a space": (original) => bytes(` ${original}`),
    decomposed: (original) => bytes(original.normalize("NFD")),
    "as other JSON": (original) => bytes(JSON.stringify(JSON.parse(original))),
    "with a member twice": (original) => bytes(original.replace("{", '{"id":"evt_0",')),
    "in base64": (original) => bytes(Buffer.from(original).toString("base64")),
    "as a form": (original) => bytes(`payload=${encodeURIComponent(original)}`),
    empty: () => new Uint8Array(),
  };
  test.each(Object.keys(encodings))("%s", async (name) => {
    const signed = await signedSample(kind, requestOf(text, { headers: SAMPLES[kind].request.headers }));
    const body = new Uint8Array(encodings[name]?.(text) ?? []);
    expect(Buffer.from(body).equals(Buffer.from(signed.body))).toBe(false);
    expect(await verifySample(kind, { ...signed, body })).toEqual(wrong);
  });
});

test.each(JSON_BODY)("%s refuses a signed body that is not the vendor's", async (kind) => {
  for (const text of ["", "null", "[]", "7", '"a"', "{", "not JSON", '\ufeff{"update_id":1}', "\u0000", "a=b", "{}"]) {
    const verdict = await verdictOn(kind, text);
    expect(verdict, text).toEqual({ outcome: "refused", reason: "malformed" });
  }
  const text = new TextDecoder().decode(SAMPLES[kind].request.body);
  expect(await verdictOn(kind, text.replace("{", '{"x":"\u00e9",'))).toMatchObject({ outcome: "verified" });
  const latin = new Uint8Array(Buffer.from(text.replace("{", '{"x":"\u00e9",'), "latin1"));
  expect(await verifySample(kind, await signedSample(kind, requestOf("", { body: latin })))).toMatchObject({
    reason: "malformed",
  });
});

/** JSON of the vendors' words, in places where they do not belong. */
const words = fc.constantFrom(
  ...["update_id", "message", "chat", "id", "type", "event", "event_id", "channel", "team_id", "events", "source"],
  ...["entry", "changes", "value", "messages", "messaging", "sender", "repository", "full_name", "project", "payload"],
  ...["__proto__", "constructor", "webhookEventId", "mid", "from", "text", "toString"],
);
const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom(null, true, 0, -1, 1.5, 1e300, "", "a", "\ud800", "a b", "\u00e9".repeat(300)),
    fc.array(tie("tree"), { maxLength: 3 }),
    fc.dictionary(words, tie("tree"), { maxKeys: 5 }),
  ),
}));

test.each(SIGNABLE)(
  "%s reads any signed JSON without an error, with a short id and without its secrets",
  async (kind) => {
    const { secrets, request } = SAMPLES[kind];
    await fc.assert(
      fc.asyncProperty(tree, async (json) => {
        const made = { ...requestOf(json), subpath: request.subpath };
        const verdict = await verifySample(kind, await signedSample(kind, made));
        expect(verdict.outcome === "refused" ? verdict.reason : "malformed").toBe("malformed");
        if (verdict.outcome === "verified") expect(verdict.eventId).toMatch(/^[\x21-\x7e]{1,200}$/);
        for (const secret of Object.values(secrets))
          if (secret.length > 8) expect(JSON.stringify(verdict)).not.toContain(secret);
      }),
      { numRuns: 60 },
    );
  },
);

test.each(SIGNABLE)("%s reads deeply nested JSON", async (kind) => {
  const nested = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
  const request = { ...requestOf(nested), subpath: SAMPLES[kind].request.subpath };
  const { outcome } = await verifySample(kind, await signedSample(kind, request));
  expect(outcome).toBe(ANY_BODY.includes(kind) ? "verified" : "refused");
});
