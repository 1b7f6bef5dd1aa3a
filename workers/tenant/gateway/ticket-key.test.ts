import type { JWK } from "jose";
import { expect, test } from "vitest";
import { Tickets } from "../container/tickets.mjs";
import { TicketKey, type TicketKeyStorage } from "./ticket-key.ts";
import { UserTickets } from "./user-tickets.ts";

const NOW = Date.parse("2026-11-24T12:00:00Z");
const HOUR_MS = 3_600_000;

/** A Durable Object's storage, as far as the key uses it. */
function storage(stored: Record<string, unknown> = {}): TicketKeyStorage {
  const values = new Map(Object.entries(stored));
  return {
    get: async <T>(key: string) => values.get(key) as T | undefined,
    put: async (entries) => {
      for (const [key, value] of Object.entries(entries)) values.set(key, value);
    },
  };
}

const keyOf = (store: TicketKeyStorage, token: string, now = NOW) =>
  new TicketKey({ storage: store, token, now: () => now });

/** Starts a gateway. @returns its variables */
async function started(key: TicketKey, isStarted = true): Promise<Record<string, string>> {
  let given: Record<string, string> = {};
  await key.starting(async (variables) => {
    given = variables;
    return { started: isStarted };
  });
  return given;
}

const ticket = (jwk: JWK, now = NOW) =>
  new UserTickets({ tenant: "acme", now: () => now }).of({ email: "ada@acme.example", role: "ADMIN" }, async () => jwk);

/** Until when a gateway with these variables takes a ticket, in seconds since the epoch; undefined for never. */
const goodUntil = (variables: Record<string, string>, text: string): number | undefined =>
  new Tickets({ ...variables, TENANT_SLUG: "acme" }).claimsOf(text)?.exp;

test("a gateway with another token has another key, and takes tickets of the one before for as long as they are good", async () => {
  const store = storage();
  const first = keyOf(store, "token-1");
  await started(first);
  const before = await ticket(await first.jwk(), NOW);
  const second = keyOf(store, "token-2");
  // Until its gateway starts, the one that runs is vouched to by the key that it has.
  expect(await second.jwk()).toEqual(await first.jwk());
  const gateway = await started(second);
  expect(await second.jwk()).not.toEqual(await first.jwk());
  expect(goodUntil(gateway, await ticket(await second.jwk()))).toBe(NOW / 1000 + 600);
  expect(goodUntil(gateway, before)).toBe(NOW / 1000 + 600);
  // Whoever has the old key makes no ticket that is good for longer.
  expect(goodUntil(gateway, await ticket(await first.jwk(), NOW + HOUR_MS))).toBe(NOW / 1000 + 600);
  const later = await started(keyOf(store, "token-2", NOW + HOUR_MS));
  expect(later).toEqual({ TICKET_KEY: gateway.TICKET_KEY });
  expect(goodUntil(later, before)).toBeUndefined();
});

test("another start with the same token keeps the key, and the one before it while its tickets are good", async () => {
  const store = storage();
  await started(keyOf(store, "token-1"));
  const gateway = await started(keyOf(store, "token-2"));
  expect(await started(keyOf(store, "token-2", NOW + 60_000))).toEqual(gateway);
});

test("a gateway that was running keeps its key", async () => {
  const store = storage();
  const gateway = await started(keyOf(store, "token-1"));
  const second = keyOf(store, "token-2");
  await started(second, false);
  expect(goodUntil(gateway, await ticket(await second.jwk()))).toBeDefined();
  // So does an object that is made anew.
  expect(goodUntil(gateway, await ticket(await keyOf(store, "token-2").jwk()))).toBeDefined();
});

test("the key of an earlier version stays with the first start", async () => {
  const jwk = await keyOf(storage(), "x").jwk();
  const key = keyOf(storage({ "ticket-key": jwk }), "token-1");
  expect(await started(key)).toEqual({ TICKET_KEY: jwk.x });
  expect(await key.jwk()).toEqual(jwk);
});
