import { exportJWK, generateKeyPair, importJWK, jwtVerify } from "jose";
import { expect, test } from "vitest";
import { userTicket } from "#workers/contracts/platform-headers.ts";
import { UserTickets } from "./user-tickets.ts";

const { privateKey } = await generateKeyPair("EdDSA", { extractable: true });
const jwk = await exportJWK(privateKey);
const key = async () => jwk;
const ada = { email: "ada@acme.example", role: "ADMIN" } as const;

test("signs a ticket with user, role and tenant that the public key verifies", async () => {
  const tickets = new UserTickets({ tenant: "acme" });
  const publicKey = await importJWK({ kty: "OKP", crv: "Ed25519", x: jwk.x ?? "" }, "EdDSA");
  const { payload } = await jwtVerify(await tickets.get(ada, key), publicKey, { audience: "acme" });
  expect(userTicket.parse(payload)).toMatchObject({ sub: "ada@acme.example", role: "ADMIN", aud: "acme" });
});

test("reuses a ticket for the same user and role until shortly before it expires", async () => {
  let now = 1_000_000_000_000;
  const tickets = new UserTickets({ tenant: "acme", now: () => now });
  const first = await tickets.get(ada, key);
  now += 500_000;
  expect(await tickets.get(ada, key)).toBe(first);
  expect(await tickets.get({ ...ada, role: "BASE_USER" }, key)).not.toBe(first);
  expect(await tickets.get({ ...ada, email: "bob@acme.example" }, key)).not.toBe(first);
  now += 60_000;
  expect(await tickets.get(ada, key)).not.toBe(first);
});

test("requests the key again after a failure", async () => {
  const tickets = new UserTickets({ tenant: "acme" });
  const fails = () => Promise.reject(new Error("no key"));
  await expect(tickets.get(ada, fails)).rejects.toThrow("no key");
  expect(await tickets.get(ada, key)).toMatch(/\./);
});
