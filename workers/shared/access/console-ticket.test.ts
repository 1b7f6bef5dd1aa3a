import { base64url } from "jose";
import { expect, test } from "vitest";
import { open, seal } from "../doors/door-secrets.ts";
import { openTicket, SESSION_MS, sealProgramTicket, sealTicket } from "./console-ticket.ts";

const keys = { used: "password-that-encrypts-secrets-of-doors" };
const slug = "acme";
const now = Date.parse("2027-01-01T00:00:00Z");
const program = { slug, email: "ada@acme.test", serviceToken: "token.access", until: now + 3_600_000 };

test("names the user of each ticket, and a program's service token", async () => {
  for (const use of ["entry", "session"] as const) {
    const text = await sealTicket(keys, { use, slug }, "ada@acme.test", now);
    expect(await openTicket(keys, { use, slug }, text, now)).toEqual({ email: "ada@acme.test" });
  }
  const { token } = await sealProgramTicket(keys, program, now);
  const opened = await openTicket(keys, { use: "program", slug }, token, now);
  expect(opened).toEqual({ email: "ada@acme.test", serviceToken: "token.access" });
});

test("opens no ticket for another use, tenant or key", async () => {
  const { token } = await sealProgramTicket(keys, program, now);
  const session = await sealTicket(keys, { use: "session", slug }, "ada@acme.test", now);
  const opened = [
    openTicket(keys, { use: "session", slug }, token, now),
    openTicket(keys, { use: "entry", slug }, token, now),
    openTicket(keys, { use: "program", slug: "globex" }, token, now),
    openTicket({ used: "another-password-of-doors" }, { use: "program", slug }, token, now),
    openTicket(keys, { use: "program", slug }, session, now),
    openTicket(keys, { use: "program", slug }, `${token.slice(0, -2)}AA`, now),
    openTicket(keys, { use: "program", slug }, "", now),
  ];
  expect(await Promise.all(opened)).toEqual(opened.map(() => undefined));
});

test("ends a program's session after a quarter of an hour, and with its service token", async () => {
  const { expiresAt } = await sealProgramTicket(keys, program, now);
  expect(expiresAt).toBe(now + SESSION_MS);
  const short = await sealProgramTicket(keys, { ...program, until: now + 60_000 }, now);
  expect(short.expiresAt).toBe(now + 60_000);
  const at = (time: number) => openTicket(keys, { use: "program", slug }, short.token, time);
  expect([await at(now + 59_999), await at(now + 60_000)]).toEqual([
    { email: "ada@acme.test", serviceToken: "token.access" },
    undefined,
  ]);
});

test("opens a session that the version before began", async () => {
  const sealed = await seal(keys, `console:session:${slug}`, { email: "ada@acme.test", expiresAt: now + SESSION_MS });
  expect(await openTicket(keys, { use: "session", slug }, base64url.encode(sealed), now)).toEqual({
    email: "ada@acme.test",
  });
});

test("writes sessions of browsers that the version before opens", async () => {
  const text = await sealTicket(keys, { use: "session", slug }, "ada@acme.test", now);
  const content = await open(keys, `console:session:${slug}`, base64url.decode(text));
  expect(content).toEqual({ email: "ada@acme.test", expiresAt: now + SESSION_MS });
});
