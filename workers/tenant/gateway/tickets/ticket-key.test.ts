import { exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from "jose";
import { describe, expect, test } from "vitest";
import { Tickets } from "../../container/tickets.mjs";
import { TicketKey, type TicketKeyStorage } from "./ticket-key.ts";
import { UserTickets } from "./user-tickets.ts";

const NOW = Date.parse("2026-11-24T12:00:00Z");
const HOUR_MS = 3_600_000;

function storage(stored: Record<string, unknown> = {}): TicketKeyStorage {
  const values = new Map(Object.entries(stored));
  return {
    get: async <T>(key: string) => values.get(key) as T | undefined,
    put: async (entries) => {
      for (const [key, value] of Object.entries(entries)) values.set(key, value);
    },
    delete: async (key) => values.delete(key),
  };
}

const keyOf = (store: TicketKeyStorage, token: string, now = NOW, version?: number) =>
  new TicketKey({ storage: store, tenant: "acme", token, version, now: () => now });

/** Starts a gateway. @returns its variables */
async function started(key: TicketKey, isStarted = true): Promise<Record<string, string>> {
  let given: Record<string, string> = {};
  await key.startWith(async (variables) => {
    given = variables;
    return { started: isStarted };
  });
  return given;
}

const ticket = (jwk: JWK, now = NOW) =>
  new UserTickets({ tenant: "acme", now: () => now }).get(
    { email: "ada@acme.example", role: "ADMIN" },
    async () => jwk,
  );

/** Returns when a ticket expires at a gateway with these variables, in seconds since the epoch; undefined when it is invalid. */
const goodUntil = (variables: Record<string, string>, text: string): number | undefined =>
  new Tickets({ ...variables, TENANT_SLUG: "acme" }).claimsOf(text)?.exp;

test("uses another key for another token, and accepts tickets of the former key until they expire", async () => {
  const store = storage();
  const first = keyOf(store, "token-1");
  await started(first);
  const before = await ticket(await first.jwk(), NOW);
  const second = keyOf(store, "token-2");
  // Until the start, tickets are signed with the key of the running gateway.
  expect(await second.jwk()).toEqual(await first.jwk());
  const gateway = await started(second);
  expect(await second.jwk()).not.toEqual(await first.jwk());
  expect(goodUntil(gateway, await ticket(await second.jwk()))).toBe(NOW / 1000 + 600);
  expect(goodUntil(gateway, before)).toBe(NOW / 1000 + 600);
  // The old key cannot extend the validity.
  expect(goodUntil(gateway, await ticket(await first.jwk(), NOW + HOUR_MS))).toBe(NOW / 1000 + 600);
  const later = await started(keyOf(store, "token-2", NOW + HOUR_MS));
  expect(later).toEqual({ TICKET_KEY: gateway.TICKET_KEY });
  expect(goodUntil(later, before)).toBeUndefined();
});

test("keeps the key, and the former one until its tickets expire, when the token is unchanged", async () => {
  const store = storage();
  await started(keyOf(store, "token-1"));
  const gateway = await started(keyOf(store, "token-2"));
  expect(await started(keyOf(store, "token-2", NOW + 60_000))).toEqual(gateway);
});

test("keeps the key of a gateway that was already running", async () => {
  const store = storage();
  const gateway = await started(keyOf(store, "token-1"));
  const second = keyOf(store, "token-2");
  await started(second, false);
  expect(goodUntil(gateway, await ticket(await second.jwk()))).toBeDefined();
  // So does another object over the same storage.
  expect(goodUntil(gateway, await ticket(await keyOf(store, "token-2").jwk()))).toBeDefined();
});

test("keeps the key of an earlier version at the first start", async () => {
  const jwk = await keyOf(storage(), "x").jwk();
  const key = keyOf(storage({ "ticket-key": jwk }), "token-1");
  expect(await started(key)).toEqual({ TICKET_KEY: jwk.x });
  expect(await key.jwk()).toEqual(jwk);
});

describe("a rotation of the key of a gateway that runs", () => {
  // The gateway uses the machine's clock.
  const now = Date.now();
  const seconds = Math.floor(now / 1000);
  const second = (store: TicketKeyStorage) => keyOf(store, "token-1", now, 2);

  /** A gateway that was started with the first version, and handles orders. */
  async function running() {
    const store = storage();
    const first = keyOf(store, "token-1", now);
    const tickets = new Tickets({ ...(await started(first)), TENANT_SLUG: "acme" });
    const orders: string[] = [];
    const receive = async (order: string) => {
      orders.push(order);
      const keys = tickets.replaceKey(order);
      return keys === undefined
        ? { status: 403, body: "{}" }
        : { status: 200, body: JSON.stringify({ ticketKey: keys.TICKET_KEY }) };
    };
    return { store, first: await first.jwk(), tickets, orders, receive };
  }

  test("uses the new key once the gateway confirms it, and the gateway accepts the old one for 10 minutes", async () => {
    const { store, first, tickets, orders, receive } = await running();
    const key = second(store);
    expect(await key.jwk()).toEqual(first);
    expect(await key.rotate(receive)).toBe("replaced");
    expect(await key.jwk()).not.toEqual(first);
    expect(tickets.claimsOf(await ticket(await key.jwk(), now))?.exp).toBe(seconds + 600);
    // Despite a longer validity in the ticket.
    expect(tickets.claimsOf(await ticket(first, now + HOUR_MS))?.exp).toBe(seconds + 600);
    expect(await key.rotate(receive)).toBe("none");
    expect(await second(store).rotate(receive)).toBe("none");
    expect(orders).toHaveLength(1);
    // The next start keeps it.
    const { TICKET_KEY } = await started(second(store));
    expect(TICKET_KEY).toBe((await key.jwk()).x);
  });

  test("uses the new key at the next start when no gateway runs", async () => {
    const { store, first, orders } = await running();
    const key = second(store);
    const gateway = await started(key);
    expect(goodUntil(gateway, await ticket(await key.jwk(), now))).toBe(seconds + 600);
    expect(goodUntil(gateway, await ticket(first, now + HOUR_MS))).toBe(seconds + 600);
    expect(orders).toEqual([]);
  });

  test("continues when the gateway's response was lost", async () => {
    const { store, first, tickets, receive } = await running();
    const lost = async (order: string) => {
      await receive(order);
      throw new Error("the connection was lost");
    };
    await expect(second(store).rotate(lost)).rejects.toThrow("the connection was lost");
    // The gateway has the new key, and the Worker uses the old one until the gateway confirms.
    expect(await second(store).jwk()).toEqual(first);
    expect(tickets.claimsOf(await ticket(first, now))).toBeDefined();
    const key = second(store);
    expect(await key.rotate(receive)).toBe("replaced");
    expect(tickets.claimsOf(await ticket(await key.jwk(), now))).toBeDefined();
  });

  test.each([
    ["does not know the order", { status: 404, body: "{}" }, "unknown"],
    ["answers every path with a page", { status: 200, body: "<!doctype html>" }, "unknown"],
    ["confirms another key", { status: 200, body: '{"ticketKey":"another"}' }, "unknown"],
    ["refuses the order", { status: 403, body: "{}" }, "refused"],
  ])("keeps the key of a gateway that %s, until its next start", async (_, answer, outcome) => {
    const { store, first } = await running();
    const key = second(store);
    expect(await key.rotate(async () => answer)).toBe(outcome);
    expect(await key.jwk()).toEqual(first);
    await started(key);
    expect(await key.jwk()).not.toEqual(first);
  });

  test("retries when the gateway cannot respond", async () => {
    const { store, first, receive } = await running();
    const key = second(store);
    await expect(key.rotate(async () => ({ status: 503, body: "" }))).rejects.toThrow("responded with 503");
    expect(await key.jwk()).toEqual(first);
    expect(await key.rotate(receive)).toBe("replaced");
  });

  test("accepts orders signed with the current key only", async () => {
    const { store, first, tickets, orders, receive } = await running();
    const order = async (jwk: JWK, claims: object) =>
      tickets.replaceKey(
        await new SignJWT({ nextKey: "A".repeat(43), until: seconds + 600, aud: "acme", exp: seconds + 60, ...claims })
          .setProtectedHeader({ alg: "EdDSA" })
          .sign(await importJWK(jwk, "EdDSA")),
      );
    const { privateKey } = await generateKeyPair("EdDSA", { extractable: true });
    expect(await order(await exportJWK(privateKey), {})).toBeUndefined();
    expect(await order(first, { aud: "globex" })).toBeUndefined();
    expect(await order(first, { exp: seconds - 1 })).toBeUndefined();
    expect(await order(first, { nextKey: "short" })).toBeUndefined();
    expect(tickets.replaceKey(await ticket(first, now))).toBeUndefined();
    const key = second(store);
    await key.rotate(receive);
    // The former key signs no more orders, and an order is not a ticket.
    expect(await order(first, {})).toBeUndefined();
    expect(tickets.claimsOf(orders[0] ?? "")).toBeUndefined();
    expect(tickets.claimsOf(await ticket(await key.jwk(), now))).toBeDefined();
  });
});
