/** The dispatch Worker with a REST layer that requires a project's API key, like Supabase. */
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import { createRest, type Rest } from "@tenantry/postgrest";
import { SignJWT } from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";
import { insertClient, insertInstance } from "#database/testing/fixtures.ts";
import { startTestDatabase, type TestDatabase } from "#database/testing/test-database.ts";
import { Database, DatabaseUnavailable } from "./database.ts";

const SECRET = "a-secret-of-at-least-thirty-two-characters";
const API_KEY = "key-of-the-project";

let database: TestDatabase;
let rest: Rest;
let server: Server;
let key: string;
const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

beforeAll(async () => {
  database = await startTestDatabase();
  await insertInstance(database.db, await insertClient(database.db, { slug: "acme" }), { worker_name: "tenant-acme" });
  rest = createRest({ databaseUrl: database.url, jwtSecret: SECRET, apiKeys: [API_KEY], log: () => undefined });
  server = await new Promise((resolve) => {
    const started = serve({ fetch: rest.app.fetch, port: 0, hostname: "127.0.0.1" }, () => resolve(started as Server));
  });
  key = await new SignJWT({ role: "tenantry_dispatch" })
    .setProtectedHeader({ alg: "HS256" })
    .sign(new TextEncoder().encode(SECRET));
});
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  await rest.close();
  await database.stop();
});

test("sends the project's key as `apikey` and the role's token as bearer token", async () => {
  const connected = new Database("production", { url: url(), key, apiKey: API_KEY });
  expect((await connected.resolveTenant("acme", undefined)).tenant?.worker_name).toBe("tenant-acme");
  expect(await connected.activeTenants(undefined, 10)).toMatchObject([{ worker_name: "tenant-acme" }]);
});

test("fails with the token in both places when the REST layer requires a key", async () => {
  const other = new Database("production", { url: url(), key, apiKey: key });
  await expect(other.resolveTenant("acme", undefined)).rejects.toThrow(DatabaseUnavailable);
});
