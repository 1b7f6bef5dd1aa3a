import { afterEach, beforeEach, expect, test } from "vitest";
import { KeysUnavailable } from "./key-set.ts";
import { type AccessTeam, startAccessTeam } from "./testing/access-team.ts";
import { TokenVerifier } from "./token-verifier.ts";

const MINUTE = 60_000;
const ada = { email: "Ada@Acme.test", aud: ["one", "two"] };

let access: AccessTeam;
let clock: number;
let verifier: TokenVerifier;

beforeEach(async () => {
  access = await startAccessTeam();
  clock = Date.now();
  verifier = new TokenVerifier(access.issuer, { now: () => clock });
});
afterEach(() => access?.stop());

const verify = (token: string) => verifier.verify(token, () => undefined);
// The verifier's clock, which does not move while tokens are signed.
const seconds = () => Math.floor(clock / 1000);
const lasting = (minutes: number) => access.token({ ...ada, nbf: seconds(), exp: seconds() + minutes * 60 });

test("accepts a cached token until the second it expires", async () => {
  const token = await lasting(1);
  const identity = await verify(token);
  expect(identity).toEqual({ email: "ada@acme.test", audiences: ["one", "two"], expiresAt: expect.any(Number) });
  clock = (identity as { expiresAt: number }).expiresAt - 1;
  expect(await verify(token)).toBe(identity);
  clock += 1;
  expect(await verify(token)).toBe("expired");
  expect(await verify(token)).toBe("expired");
});

/** As Cloudflare documents "Service token authentication". */
const service = { email: undefined, common_name: "E3678.access", sub: "", aud: ["one"] };
const serviceToken = (claims: object = {}) =>
  access.token({ ...service, nbf: seconds(), ...claims } as unknown as { email: string; aud: string[] });

test("accepts a service token only where services are admitted", async () => {
  const token = await serviceToken();
  expect(await verify(token)).toBe("invalid");
  verifier = new TokenVerifier(access.issuer, { now: () => clock, services: true });
  expect(await verify(token)).toMatchObject({ email: "e3678.access", isService: true, audiences: ["one"] });
  expect(await verify(await lasting(1))).not.toHaveProperty("isService");
});

test.each([
  ["a name that could be an address", { common_name: "ada@acme.test" }],
  ["no name", { common_name: undefined }],
  ["a subject", { sub: "user" }],
])("rejects a service token with %s", async (_, claims) => {
  verifier = new TokenVerifier(access.issuer, { now: () => clock, services: true });
  expect(await verify(await serviceToken(claims))).toBe("invalid");
});

test("takes the user of a token that has a name too", async () => {
  verifier = new TokenVerifier(access.issuer, { now: () => clock, services: true });
  const identity = await verify(await serviceToken({ email: "ada@acme.test" }));
  expect(identity).toMatchObject({ email: "ada@acme.test" });
  expect(identity).not.toHaveProperty("isService");
});

test("accepts an audience that is not a list", async () => {
  const token = await access.token({ ...ada, nbf: seconds(), aud: "one" as unknown as string[] });
  expect(await verify(token)).toMatchObject({ audiences: ["one"] });
});

test("fetches keys once, and again after ten minutes", async () => {
  for (let call = 0; call < 3; call += 1) await verify(await access.token({ ...ada, nbf: seconds(), call }));
  expect(access.fetches()).toBe(1);
  clock += 10 * MINUTE;
  await verify(await access.token(ada));
  expect(access.fetches()).toBe(2);
});

test("uses cached keys for an hour while fetching fails", async () => {
  const tokens = [await lasting(300), await lasting(301), await lasting(302)];
  await verify(tokens[0] ?? "");
  access.setDown(true);
  clock += 59 * MINUTE;
  expect(await verify(tokens[1] ?? "")).toMatchObject({ email: "ada@acme.test" });
  clock += 2 * MINUTE;
  await expect(verify(tokens[2] ?? "")).rejects.toThrow(KeysUnavailable);
  expect(await verify(tokens[0] ?? "")).toMatchObject({ email: "ada@acme.test" });
});

test("retries a failed fetch rarely while cached keys can serve", async () => {
  await verify(await lasting(60));
  access.setDown(true);
  clock += 30 * MINUTE;
  for (let call = 1; call <= 5; call += 1)
    expect(await verify(await lasting(60 + call))).toMatchObject({ email: "ada@acme.test" });
  expect(access.fetches()).toBe(2);
  access.setDown(false);
  clock += 6_000;
  await verify(await lasting(70));
  expect(access.fetches()).toBe(3);
});

test("fetches the keys once for concurrent calls", async () => {
  const tokens = await Promise.all(
    Array.from({ length: 10 }, (_, call) => access.token({ ...ada, nbf: seconds(), call })),
  );
  for (const identity of await Promise.all(tokens.map(verify)))
    expect(identity).toMatchObject({ email: "ada@acme.test" });
  expect(access.fetches()).toBe(1);
});
