/** A changed token admits only the user for whom Access signed it. */
import fc from "fast-check";
import { base64url, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type AccessTeam, startAccessTeam } from "./testing/access-team.ts";
import { TokenVerifier } from "./token-verifier.ts";

const ada = { email: "ada@acme.test", aud: ["audience-of-acme"] };

let access: AccessTeam;
let verifier: TokenVerifier;
let good: string;

beforeAll(async () => {
  access = await startAccessTeam();
  verifier = new TokenVerifier(access.issuer);
  good = await access.token(ada);
  expect(await verify(good)).toMatchObject({ email: ada.email });
});
afterAll(() => access?.stop());

const verify = (token: string) => verifier.verify(token, () => undefined);
const part = (value: unknown) => base64url.encode(JSON.stringify(value));
const now = () => Math.floor(Date.now() / 1000);

test.each(["RS256", "ES256"] as const)(
  "refuses a token signed by %s with one character changed, added or removed",
  async (algorithm) => {
    await access.rotate(algorithm);
    const token = await access.token(ada);
    verifier = new TokenVerifier(access.issuer);
    expect(await verify(token)).toMatchObject({ email: ada.email });
    const character = fc.oneof(
      fc.constantFrom(..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/=. \t\n"),
      fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
    );
    // The last characters of each part have unused bits.
    const ends = [token.indexOf(".") - 1, token.lastIndexOf(".") - 1, token.length - 1];
    const position = fc.oneof(fc.nat(token.length), fc.constantFrom(...ends, ...ends.map((end) => end + 1)));
    await fc.assert(
      fc.asyncProperty(position, character, fc.constantFrom("change", "add", "leave out"), async (at, by, how) => {
        const changed = token.slice(0, at) + (how === "leave out" ? "" : by) + token.slice(how === "add" ? at : at + 1);
        fc.pre(changed !== token);
        expect(await verify(changed)).toBe("invalid");
      }),
      { numRuns: 500 },
    );
  },
);

const header = fc.record(
  {
    alg: fc.constantFrom("none", "None", "HS256", "HS512", "RS256", "ES256", "RS512", "PS256", "EdDSA", "", 7, null),
    kid: fc.oneof(fc.constantFrom("key-1", "key-2", "__proto__", "", 1, null), fc.string()),
    typ: fc.constantFrom("JWT", "at+jwt"),
    crit: fc.constantFrom(["exp"], [], "b64"),
    b64: fc.boolean(),
    jwk: fc.constantFrom({ kty: "oct", k: "AAAA" }, {}),
    jku: fc.webUrl(),
    x5u: fc.webUrl(),
    zip: fc.constant("DEF"),
  },
  { requiredKeys: [] },
);
const payload = fc.oneof(
  fc.record(
    {
      iss: fc.constantFrom("", "https://elsewhere.test", 1),
      email: fc.constantFrom("root@platform.test", ["root@platform.test"], 1),
      aud: fc.constantFrom("audience-of-acme", [], { audience: true }),
      exp: fc.constantFrom(9e9, "9e9", -1, null),
      nbf: fc.constantFrom(0, 9e9),
    },
    { requiredKeys: [] },
  ),
  fc.jsonValue(),
);

test("refuses combinations of headers, payloads and signatures of different tokens", async () => {
  const other = await access.token({ ...ada, email: "bob@acme.test" });
  const pieces = [good, other].map((token) => token.split("."));
  const piece = (at: number) => fc.constantFrom(...pieces.map((parts) => parts[at] ?? ""), "", "e30", "bnVsbA");
  const headerPart = fc.oneof(piece(0), header.map(part), fc.string());
  const payloadPart = fc.oneof(piece(1), payload.map(part), fc.string());
  const signaturePart = fc.oneof(piece(2), fc.base64String(), fc.string());
  await fc.assert(
    fc.asyncProperty(
      headerPart,
      payloadPart,
      signaturePart,
      fc.constantFrom("", ".e30", "."),
      async (h, p, s, tail) => {
        const token = `${h}.${p}.${s}${tail}`;
        fc.pre(token !== good && token !== other);
        expect(await verify(token)).toBe("invalid");
      },
    ),
    { numRuns: 500 },
  );
});

test("refuses claims signed by another key, whichever key the header names", async () => {
  const { privateKey } = await generateKeyPair("RS256");
  const claims = { ...ada, iss: access.issuer, exp: now() + 600 };
  await fc.assert(
    fc.asyncProperty(header, payload, async (h, p) => {
      const signer = new SignJWT({ ...claims, ...(typeof p === "object" ? p : {}) } as JWTPayload);
      const token = await signer
        .setProtectedHeader({ ...(typeof h.kid === "string" ? { kid: h.kid } : {}), typ: "JWT", alg: "RS256" })
        .sign(privateKey);
      expect(await verify(token)).toBe("invalid");
    }),
    { numRuns: 100 },
  );
});

test("refuses e-mail addresses that become another user's in lower case", async () => {
  const lookalikes = ["\u212a", "\u0130"].map((letter) => `mi${letter}e@acme.test`);
  for (const email of lookalikes) expect(await verify(await access.token({ ...ada, email }))).toBe("invalid");
  expect(await verify(await access.token({ ...ada, email: "MIKE@acme.test" }))).toMatchObject({
    email: "mike@acme.test",
  });
  const letter = fc.string({ unit: "binary", minLength: 1, maxLength: 1 });
  await fc.assert(
    fc.asyncProperty(letter, async (given) => {
      const identity = await verify(await access.token({ ...ada, email: `mi${given}e@acme.test` }));
      if (typeof identity === "string") return;
      const isAscii = (text: string) => /^[\0-\x7f]*$/.test(text);
      expect(isAscii(identity.email)).toBe(isAscii(given));
    }),
    { numRuns: 200 },
  );
});

test("refuses signed claims of other types", async () => {
  const rubbish = fc.oneof(fc.constant(undefined), fc.jsonValue());
  await fc.assert(
    fc.asyncProperty(rubbish, rubbish, rubbish, async (email, aud, exp) => {
      const isText = typeof email === "string" && email.length >= 3 && email.length <= 320;
      const isAudience = typeof aud === "string" || (Array.isArray(aud) && aud.every((one) => typeof one === "string"));
      fc.pre(!(isText && isAudience && typeof exp === "number" && exp > now()));
      const token = await access.token({ email, aud, exp } as unknown as { email: string });
      expect(["invalid", "expired"]).toContain(await verify(token));
    }),
    { numRuns: 200 },
  );
});
