/** A value in KV under a tenant's key is a valid entry of the current version, or it is ignored. */
import type { KVNamespace } from "@cloudflare/workers-types";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { TENANT_ENTRY_VERSION, tenantEntry } from "#workers/contracts/tenant-entry.ts";
import { type RestServer, startRestServer } from "../testing/rest-server.ts";
import { tenant } from "../testing/start-dispatch.ts";
import { Database, DatabaseUnavailable } from "./database.ts";
import { Tenants } from "./tenants.ts";

const MINUTE_MS = 60_000;
const NOW = Date.parse("2026-06-01T00:00:00Z");
const fromDatabase = tenant("acme", { seats: 1 });
const fromCache = tenant("acme", { seats: 2 });

let rest: RestServer;
beforeAll(async () => {
  // Each invalid entry is a line in the log.
  vi.spyOn(console, "warn").mockImplementation(() => {});
  rest = await startRestServer("key");
  rest.tenants.set("acme", fromDatabase);
});
afterAll(async () => {
  vi.restoreAllMocks();
  await rest?.stop();
});

function lookUp(text: string) {
  const kv = { get: async () => JSON.parse(text), put: async () => {}, delete: async () => {} };
  const tenants = new Tenants({
    environment: "production",
    kv: kv as unknown as KVNamespace,
    database: new Database("production", rest),
    now: () => NOW,
  });
  return tenants.find(
    "acme",
    async () => undefined,
    () => undefined,
  );
}

/** A complete entry with one of its values, or one of its record's, replaced, removed or added. */
const entry = fc.record({
  v: fc.constant(TENANT_ENTRY_VERSION),
  tenant: fc.constant(fromCache),
  readAt: fc.integer({ min: NOW - 30 * MINUTE_MS, max: NOW }),
});
const key = fc.oneof(fc.constantFrom("v", "tenant", "readAt"), fc.constantFrom(...Object.keys(fromCache)), fc.string());
const odd = fc.oneof(
  fc.constant(undefined),
  fc.jsonValue(),
  fc.constantFrom(0, 1, "2", "acme", "globex", NOW, -1, 1e308),
);
const damaged = fc
  .tuple(entry, key, odd, fc.boolean())
  .map(([whole, name, value, inside]) =>
    inside ? { ...whole, tenant: { ...whole.tenant, [name]: value } } : { ...whole, [name]: value },
  );
const stored = fc.oneof(
  entry.map((value) => JSON.stringify(value)),
  damaged.map((value) => JSON.stringify(value)),
  fc.json(),
  // Not JSON.
  fc.string(),
);

/** Returns the tenant of a valid entry, and its age. */
function entryIn(text: string): { tenant: unknown; ageMs: number } | undefined {
  try {
    const { tenant: found, readAt } = tenantEntry.parse(JSON.parse(text));
    return found && found.slug !== "acme" ? undefined : { tenant: found, ageMs: NOW - readAt };
  } catch {
    return undefined;
  }
}

test("serves a fresh entry, and otherwise reads the database", async () => {
  rest.setDown(false);
  await fc.assert(
    fc.asyncProperty(stored, async (text) => {
      const found = entryIn(text);
      const isFresh = found && found.ageMs < (found.tenant === null ? 10_000 : MINUTE_MS);
      expect(await lookUp(text)).toMatchObject(
        isFresh ? { tenant: found.tenant, cache: "kv" } : { tenant: fromDatabase, cache: "database" },
      );
    }),
    { numRuns: 300 },
  );
});

test("serves only tenants known in the last 15 minutes while the database is down", async () => {
  rest.setDown(true);
  await fc.assert(
    fc.asyncProperty(stored, async (text) => {
      const found = entryIn(text);
      const serves = found && (found.tenant === null ? found.ageMs < 10_000 : found.ageMs < 15 * MINUTE_MS);
      if (serves) expect((await lookUp(text)).tenant).toEqual(found.tenant);
      else await expect(lookUp(text)).rejects.toThrow(DatabaseUnavailable);
    }),
    { numRuns: 300 },
  );
});
