/** The pooler between the driver of a Worker and a real Postgres. */
import { connect } from "node:net";
import { startTestServer, type TestServer } from "@tenantry/postgres/testing/test-server";
import pg from "pg";
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from "vitest";
import { createWeather } from "#weather/weather.ts";
import { checkOrigin } from "../origin-check.ts";
import { encodeMessage, queryMessage, ready } from "./messages.ts";
import type { Origin } from "./origin-connection.ts";
import { type Pooler, startPooler } from "./pooler.ts";

const SESSIONS = "select pid from pg_stat_activity where usename = 'app' order by pid";

function ofApp(): Origin {
  const { hostname, port, pathname } = new URL(database.url);
  return { host: hostname, port: Number(port), user: "app", password: "of-a-test", database: pathname.slice(1) };
}

let database: TestServer;
let origin: Origin | undefined;
let pooler: Pooler;
beforeAll(async () => {
  database = await startTestServer();
  await database.pool.query("create role app login password 'of-a-test'");
  origin = ofApp();
  pooler = await startPooler((id) => (id === "config" ? origin : undefined));
});
afterEach(() => {
  origin = ofApp();
});
afterAll(async () => {
  await pooler?.stop();
  await database?.stop();
});

/** Returns a client that is connected until the test ends. */
async function client(connectionString = pooler.connectionString("config")): Promise<pg.Client> {
  const opened = new pg.Client({ connectionString, pipeline: true });
  opened.on("error", () => undefined);
  await opened.connect();
  onTestFinished(() => opened.end().catch(() => undefined));
  return opened;
}

const oneOf = async (from: pg.Client, sql: string) => Object.values((await from.query(sql)).rows[0])[0];
const sessions = async (): Promise<number[]> => (await database.pool.query(SESSIONS)).rows.map(({ pid }) => pid);

test("consecutive clients use the same connection, with or without a new login", async () => {
  const one = await client();
  const pid = await oneOf(one, "select pg_backend_pid()");
  expect(await oneOf(one, "select pg_backend_pid()")).toBe(pid);
  await one.end();
  expect(await oneOf(await client(), "select pg_backend_pid()")).toBe(pid);
});

test("a transaction keeps its connection while others use another one", async () => {
  const [one, other] = [await client(), await client()];
  await one.query("begin");
  const pid = await oneOf(one, "select pg_backend_pid()");
  expect(await oneOf(other, "select pg_backend_pid()")).not.toBe(pid);
  expect(await oneOf(one, "select pg_backend_pid()")).toBe(pid);
  await one.query("commit");
});

test("session settings do not outlive a transaction", async () => {
  const one = await client();
  const name = () => oneOf(one, "select current_setting('application_name')");
  const before = await name();
  await one.query("set application_name = 'mine'");
  expect(await name()).toBe(before);
  await one.query("begin");
  await one.query("set application_name = 'mine'");
  expect(await name()).toBe("mine");
  await one.query("commit");
  expect(await name()).toBe(before);
});

test("the transaction of a disconnected client is rolled back", async () => {
  const one = await client();
  await one.query("begin");
  await one.query("select pg_advisory_xact_lock(7)");
  await one.end();
  const free = async () => (await database.pool.query("select pg_try_advisory_lock(7) as free")).rows[0].free;
  await expect.poll(free).toBe(true);
});

test("pipelined queries are answered in order, including large results and errors", async () => {
  const one = await client();
  const long = "x".repeat(3_000_000);
  const [first, echo, error, last] = await Promise.all([
    oneOf(one, "select 1"),
    one.query("select $1::text as text", [long]),
    one.query("select 1/0").catch((cause: pg.DatabaseError) => cause.code),
    oneOf(one, "select 2"),
  ]);
  expect([first, echo.rows[0].text === long, error, last]).toEqual([1, true, "22012", 2]);
  const rows = await one.query("select repeat('y', 1000) as text from generate_series(1, 20000)");
  expect(rows.rowCount).toBe(20_000);
});

test("a query sent in parts stays on one connection when a previous query completes", async () => {
  const { port, password } = new URL(pooler.connectionString("config"));
  const socket = connect(Number(port), "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  let received = Buffer.alloc(0);
  socket.on("data", (chunk) => {
    received = Buffer.concat([received, chunk]);
  });
  /** Sends, and waits for a message of the type `until`, by default `ReadyForQuery`. */
  const exchange = async (sent: Buffer, until = "Z") => {
    received = Buffer.alloc(0);
    socket.write(sent);
    const isThere = () => (until === "Z" ? received.includes(ready) : received.toString("latin1", 0, 1) === until);
    await expect.poll(isThere, { interval: 5 }).toBe(true);
    return received.toString("latin1");
  };
  const startup = Buffer.from("\0\0\0\0\0\x03\0\0user\0config\0\0");
  startup.writeUInt32BE(startup.length);
  await exchange(startup, "R");
  await exchange(encodeMessage("p", Buffer.from(`${password}\0`)));
  await exchange(
    Buffer.concat([queryMessage("select 1"), encodeMessage("P", Buffer.from("\0select 'in parts'\0\0\0"))]),
  );
  const bind = encodeMessage("B", Buffer.from("\0\0\0\0\0\0\0\0"));
  const execute = encodeMessage("E", Buffer.from("\0\0\0\0\0"));
  expect(await exchange(Buffer.concat([bind, execute, encodeMessage("S", Buffer.alloc(0))]))).toContain("in parts");
});

test("a wrong password, a user of another configuration and an unknown user are refused alike", async () => {
  const right = new URL(pooler.connectionString("config"));
  const of = (user: string, password: string) => Object.assign(new URL(right), { username: user, password }).href;
  for (const url of [of("config", "00"), of("other", right.password), pooler.connectionString("other")]) {
    await expect(client(url)).rejects.toMatchObject({ code: "28P01", message: "Invalid user or password." });
  }
});

test("the database's own error is passed on, and an unreachable database is reported", async () => {
  if (origin === undefined) throw new Error("no origin");
  origin = { ...origin, password: "wrong" };
  await expect(client()).rejects.toMatchObject({
    code: "28P01",
    message: expect.stringContaining("app"),
  });
  origin = { ...origin, port: 9 };
  await expect(client()).rejects.toMatchObject({ code: "08006", message: expect.stringContaining("ECONNREFUSED") });
});

test("a changed configuration no longer uses the connections to the former origin", async () => {
  const holder = await client();
  await holder.query("begin");
  const pid = await oneOf(holder, "select pg_backend_pid()");
  if (origin === undefined) throw new Error("no origin");
  origin = { ...origin, host: "localhost" };
  const now = await oneOf(await client(), "select pg_backend_pid()");
  await expect.poll(sessions).toEqual([pid, now].toSorted());
  await holder.query("commit");
  await expect.poll(sessions).toEqual([now]);
});

test("connections that the server closed are not reused", async () => {
  const one = await client();
  await one.query("select 1");
  await database.pool.query(`select pg_terminate_backend(pid, 5000) from (${SESSIONS}) as s`);
  await expect.poll(sessions).toEqual([]);
  expect(await oneOf(await client(), "select 1")).toBe(1);
  expect(await oneOf(one, "select 1")).toBe(1);
});

test("a client whose server connection ends during a query gets the server's error", async () => {
  const one = await client();
  await one.query("begin");
  const pid = await oneOf(one, "select pg_backend_pid()");
  const asleep = one.query("select pg_sleep(60)").catch((error: pg.DatabaseError) => error.code);
  await database.pool.query("select pg_terminate_backend($1, 5000)", [pid]);
  expect(await asleep).toBe("57P01");
});

test("a client waits for a connection when all twenty of the pool are in use", async () => {
  const holders = await Promise.all(Array.from({ length: 20 }, () => client()));
  await Promise.all(holders.map((holder) => holder.query("begin")));
  let isIn = false;
  const late = client().then(() => {
    isIn = true;
  });
  expect(await oneOf(holders[0] as pg.Client, "select 1")).toBe(1);
  expect(isIn).toBe(false);
  await holders[0]?.query("commit");
  await late;
  await Promise.all(holders.slice(1).map((holder) => holder.query("commit")));
});

test("an invalid startup packet ends the connection", async () => {
  const { port } = new URL(pooler.connectionString("config"));
  const socket = connect(Number(port), "127.0.0.1");
  socket.write("GET / HTTP/1.1\r\n\r\n");
  socket.resume();
  await new Promise((resolve) => socket.once("close", resolve));
});

test("answers a read from the cache for max_age, then while it asks again, and no other query", async () => {
  let now = 0;
  const weather = createWeather({ seed: 1, rates: { hyperdrive_dropped: 0 }, now: () => now }, () => {});
  const cache = { maxAge: 60_000, staleWhileRevalidate: 15_000 };
  const caching = await startPooler(() => origin && { ...origin, cache }, weather);
  onTestFinished(() => caching.stop());
  await database.pool.query(
    "create table shared (n integer); grant all on shared to app; insert into shared values (1)",
  );
  const one = await client(caching.connectionString("config"));
  const other = await client(caching.connectionString("config"));
  const cached = async (from: pg.Client) => (await from.query("select n from shared where n > $1", [0])).rows[0]?.n;
  const change = () => other.query("update shared set n = n + 1");
  expect(await cached(one)).toBe(1);
  await change();
  expect([await cached(other), await oneOf(other, "select n from shared")]).toEqual([1, 2]);
  expect(await oneOf(other, "select n + 0 * random() from shared")).toBe(2);
  await one.query("begin");
  expect(await cached(one)).toBe(2);
  await one.query("commit");
  now = 74_000;
  expect(await cached(one)).toBe(1);
  await expect.poll(() => cached(one)).toBe(2);
  await change();
  now = 149_000;
  expect(await cached(one)).toBe(3);
});

test("cuts a connection at one of its first queries under weather, and serves the next one", async () => {
  const logged: string[] = [];
  const weather = createWeather({ seed: 1, rates: { hyperdrive_dropped: 1 } }, (_area, event) => logged.push(event));
  const stormy = await startPooler(() => origin, weather);
  onTestFinished(() => stormy.stop());
  const first = await client(stormy.connectionString("config"));
  const four = async () => {
    for (let query = 0; query < 4; query += 1) await first.query("select 1");
  };
  await expect(four()).rejects.toThrow(/Connection terminated|ECONNRESET/);
  weather.pause();
  expect(await oneOf(await client(stormy.connectionString("config")), "select 1")).toBe(1);
  expect(logged).toEqual(["injected"]);
});

test.each([
  ["accepts a database", {}, undefined],
  ["refuses a wrong password", { password: "wrong" }, 2013],
  ["refuses a missing database", { database: "missing" }, 2014],
  ["refuses a port that nothing listens on", { port: 1 }, 2011],
  ["refuses a host without an address", { host: "nowhere.invalid" }, 2008],
])("the check of an origin %s", async (_what, change, code) => {
  const { connections: _, ...login } = ofApp();
  const checked = checkOrigin({ scheme: "postgres", ...login, ...change });
  if (code === undefined) await checked;
  else
    await expect(checked).rejects.toMatchObject({ status: 400, code, message: expect.not.stringContaining("wrong") });
});
