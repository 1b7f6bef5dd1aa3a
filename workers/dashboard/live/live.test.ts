/** Live events over WebSockets. */
import type { WebSocket } from "miniflare";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { insertClient, insertClientUser, insertInstance } from "#database/testing/fixtures.ts";
import { consoleApi } from "#domain/access/access-addresses.ts";
import { LIVE_CLOSED, type LiveMessage, liveMessage } from "#workers/contracts/live-messages.ts";
import { consoleLogin } from "../testing/console-login.ts";
import { type ApiUnderTest, type As, startApi } from "../testing/start-api.ts";
import { LIVE_TOKEN } from "../testing/start-dashboard.ts";
import { withoutDatabase } from "../testing/without-database.ts";

/** Maximum wait on a busy machine. */
const SOON = { timeout: 40_000 };

let api: ApiUnderTest;
let north: string;
let south: string;
beforeAll(async () => {
  api = await startApi();
  north = await insertClient(api.database.db, { slug: "of-north", partner_id: api.partners.north });
  south = await insertClient(api.database.db, { slug: "of-south", partner_id: api.partners.south });
});
afterAll(() => api?.stop());

interface Heard {
  socket: WebSocket;
  messages: LiveMessage[];
  /** Kinds of the received updates. */
  kinds(): string[];
  ready: LiveMessage;
  closed: Promise<number>;
}
/** `readyState` of a WebSocket that is open. */
const OPEN = 1;
const open: WebSocket[] = [];
afterEach(() => {
  for (const socket of open.splice(0)) if (socket.readyState === OPEN) socket.close();
});

const upgrade = { upgrade: "websocket" };
/** A dashboard that has received the events it missed. */
async function listen(as: As | string, query = ""): Promise<Heard> {
  const email = as in api.emails ? api.emails[as as As] : as;
  return listened(await api.fetch(`/live${query}`, { email, headers: upgrade }));
}

async function listened({ webSocket: socket, status }: Awaited<ReturnType<typeof api.fetch>>): Promise<Heard> {
  if (!socket) throw new Error(`/live answered ${status}`);
  const messages: LiveMessage[] = [];
  socket.addEventListener("message", ({ data }) => {
    if (data !== "pong") messages.push(liveMessage.parse(JSON.parse(String(data))));
  });
  const closed = new Promise<number>((resolve) => socket.addEventListener("close", ({ code }) => resolve(code)));
  socket.accept();
  open.push(socket);
  await expect.poll(() => messages.some(({ kind }) => kind === "live.ready"), SOON).toBe(true);
  const kinds = () => messages.filter(({ kind }) => !kind.startsWith("live.")).map(({ kind }) => kind);
  return { socket, messages, kinds, ready: messages.find(({ kind }) => kind === "live.ready") as LiveMessage, closed };
}

/** Adds an event of a client or of the platform. */
async function tell(kind: string, client: string | null = north, db: { query: pg.Pool["query"] } = api.database.pool) {
  await db.query("insert into tenantry.events (client_id, kind, data) values ($1, $2, $3)", [
    ...[client, kind, JSON.stringify({ of: kind })],
  ]);
  // Its position is assigned at commit.
  const { rows } = await db.query(
    "select id, partner_id, at from tenantry.events where kind = $1 order by id desc limit 1",
    [kind],
  );
  const [{ id, partner_id, at }] = rows;
  return { id: Number(id), kind, partner_id, client_id: client, data: { of: kind }, at: at.toISOString() };
}

const push = (body: unknown, token: string | null = LIVE_TOKEN) =>
  api.fetch("/internal/live", {
    method: "POST",
    headers: { "content-type": "application/json", ...(token !== null && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  });
/** As the automation service does. */
const pushed = async (...events: Awaited<ReturnType<typeof tell>>[]) =>
  (await push({ last: Math.max(...events.map(({ id }) => id)), events })).status;

test("sends a platform root all events, and a partner root those of its partner", async () => {
  const [root, ofNorth, ofSouth] = [await listen("root"), await listen("north"), await listen("south")];
  const events = [await tell("mail.sent"), await tell("job.ended", south), await tell("pool.changed", null)];
  expect(await pushed(...events)).toBe(204);
  await expect.poll(() => root.kinds(), SOON).toEqual(["mail.sent", "job.ended", "pool.changed"]);
  await expect.poll(() => [ofNorth.kinds(), ofSouth.kinds()], SOON).toEqual([["mail.sent"], ["job.ended"]]);
  const { partner_id: _, ...first } = events[0] as (typeof events)[number];
  expect(root.messages.find(({ kind }) => kind === "mail.sent")).toEqual(first);
});

test("sends a tenant's user the events of its client, without addresses of operators, until it is removed", async () => {
  const instance = await insertInstance(api.database.db, north);
  const user = { client_id: north, email: "ada@north.test", role: "ADMIN", status: "validated" };
  const bob = await insertClientUser(api.database.db, { ...user, email: "bob@north.test", role: "BASE_USER" }, [
    instance,
  ]);
  const id = await insertClientUser(api.database.db, user, [instance]);
  const connect = async (slug: string, email = user.email) => {
    const headers = { ...(await consoleLogin(slug, email, { at: "of-north" })), ...upgrade };
    return api.fetch(`${consoleApi(slug)}/live`, { headers });
  };
  expect((await connect("of-south")).status).toBe(401);
  const ada = await listened(await connect("of-north"));
  const ofBob = await listened(await connect("of-north", "bob@north.test"));
  const { pool } = api.database;
  await pool.query(`insert into tenantry.events (client_id, kind, data) values ($1, 'instance.restarted', $2)`, [
    north,
    { by: api.emails.root, instance_id: instance },
  ]);
  await pushed(await tell("job.ended", south), await tell("mail.sent"));
  await expect.poll(() => ada.kinds(), SOON).toEqual(["instance.restarted", "mail.sent"]);
  expect(ada.messages.find(({ kind }) => kind === "instance.restarted")?.data).toEqual({
    by: "operator",
    instance_id: instance,
  });
  // Other events name users.
  await expect.poll(() => ofBob.kinds(), SOON).toEqual(["instance.restarted"]);
  await pool.query("delete from tenantry.client_users where id in ($1, $2)", [id, bob]);
  await pushed(await tell("mail.sent"));
  expect(await Promise.all([ada.closed, ofBob.closed])).toEqual([LIVE_CLOSED.noUser, LIVE_CLOSED.noUser]);
});

test("sends missed events after a reconnect once and in order, then new ones", async () => {
  const before = await listen("north");
  const at = before.ready.id;
  before.socket.close();
  const missed = [await tell("a.one"), await tell("a.other", south), await tell("a.two")];
  const back = await listen("north", `?after=${at}`);
  expect(back.kinds()).toEqual(["a.one", "a.two"]);
  expect(back.ready.id).toBe(missed[2]?.id);
  // The push arrives late, and twice, from two replicas.
  await pushed(...missed);
  await pushed(...missed, await tell("a.three"));
  await expect.poll(() => back.kinds(), SOON).toEqual(["a.one", "a.two", "a.three"]);
});

test("loses and repeats no event between missed and new ones", async () => {
  const { ready } = await listen("root");
  const count = 60;
  const telling = (async () => {
    for (let n = 0; n < count; n += 1) await pushed(await tell(`burst.n_${"x".repeat(n)}`));
  })();
  const listeners = await Promise.all([0, 1, 2, 3].map(() => listen("root", `?after=${ready.id}`)));
  await telling;
  const expected = Array.from({ length: count }, (_, n) => `burst.n_${"x".repeat(n)}`);
  for (const { kinds, messages } of listeners) {
    await expect.poll(() => kinds(), SOON).toEqual(expected);
    const ids = messages.map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
  }
});

test("sends events of a late commit after earlier ones, to every listener", async () => {
  const slow = new pg.Client({ connectionString: api.database.url });
  await slow.connect();
  const root = await listen("root");
  await slow.query("begin");
  await tell("order.late", north, slow as unknown as pg.Pool);
  const soon = await tell("order.soon");
  await pushed(soon);
  await expect.poll(() => root.kinds(), SOON).toEqual(["order.soon"]);
  root.socket.close();
  await slow.query("commit");
  await slow.end();
  const back = await listen("root", `?after=${soon.id}`);
  expect(back.kinds()).toEqual(["order.late"]);
});

/** An id after all events. */
const untold = (kind: string, id: number) => ({
  id,
  kind,
  partner_id: null,
  client_id: null,
  data: { of: kind },
  at: new Date().toISOString(),
});

test("sends a reset after too many missed events, then new ones", async () => {
  const { ready } = await listen("north");
  await api.database.pool.query(
    "insert into tenantry.events (client_id, kind) select $1, 'flood.drop' from generate_series(1, 1001)",
    [north],
  );
  const back = await listen("north", `?after=${ready.id}`);
  expect(back.messages.map(({ kind }) => kind)).toEqual(["live.reset", "live.ready"]);
  const newest = await api.database.pool.query("select max(id)::integer as id from tenantry.events");
  expect(back.messages[0]?.id).toBe(newest.rows[0].id);
  await pushed(await tell("after.flood"));
  await expect.poll(() => back.kinds(), SOON).toEqual(["after.flood"]);
});

test("disconnects deleted users before the next event, also after a recreation with the same address", async () => {
  const { pool } = api.database;
  const add = () =>
    pool.query(
      "insert into tenantry.dashboard_users (email, role, partner_id) values ('gone@north.test', 'PARTNER_ROOT', $1)",
      [api.partners.north],
    );
  await add();
  const gone = await listen("gone@north.test");
  await pool.query("delete from tenantry.dashboard_users where email = 'gone@north.test'");
  await add();
  await pushed(await tell("after.removal"));
  expect(await gone.closed).toBe(LIVE_CLOSED.noUser);
  expect(gone.kinds()).toEqual([]);
});

test("sends a user who moves to another partner that partner's events", async () => {
  const { pool } = api.database;
  await pool.query(
    "insert into tenantry.dashboard_users (email, role, partner_id) values ('moves@north.test', 'PARTNER_ROOT', $1)",
    [api.partners.north],
  );
  const moves = await listen("moves@north.test");
  await pool.query("update tenantry.dashboard_users set partner_id = $1 where email = 'moves@north.test'", [
    api.partners.south,
  ]);
  await pushed(await tell("of.north"), await tell("of.south", south));
  await expect.poll(() => moves.kinds(), SOON).toEqual(["of.south"]);
});

test("answers pings, and disconnects clients that send other messages", async () => {
  const { socket, closed } = await listen("north");
  const pong = new Promise((resolve) =>
    socket.addEventListener("message", ({ data }) => data === "pong" && resolve(data)),
  );
  socket.send("ping");
  expect(await pong).toBe("pong");
  socket.send("subscribe");
  expect(await closed).toBe(1008);
});

describe("while the object hibernates", () => {
  const isAsleep = (error: unknown) => error instanceof Error && /not currently running/.test(error.message);
  /** Evicts the object with open WebSockets, unless it was evicted already after ten idle seconds. */
  const sleep = () =>
    api.evictLive().catch((error: unknown) => {
      if (!isAsleep(error)) throw error;
    });
  /** An evicted object cannot be evicted. */
  const asleep = () => api.evictLive().then(() => false, isAsleep);

  test("keeps WebSockets open, answers pings without waking, and continues after the last event", async () => {
    const [root, ofNorth] = [await listen("root"), await listen("north")];
    await pushed(await tell("sleep.before"));
    await expect.poll(() => [root.kinds(), ofNorth.kinds()], SOON).toEqual([["sleep.before"], ["sleep.before"]]);
    await sleep();
    expect(await asleep()).toBe(true);
    const pong = new Promise((resolve) => root.socket.addEventListener("message", ({ data }) => resolve(data)));
    root.socket.send("ping");
    expect(await pong).toBe("pong");
    expect(await asleep()).toBe(true);
    // The first change queues no event.
    await tell("sleep.missed");
    await pushed(await tell("sleep.other", south), await tell("sleep.after"));
    const all = ["sleep.before", "sleep.missed", "sleep.other", "sleep.after"];
    await expect.poll(() => root.kinds(), SOON).toEqual(all);
    await expect.poll(() => ofNorth.kinds(), SOON).toEqual(all.filter((kind) => kind !== "sleep.other"));
    expect([root, ofNorth].map(({ messages }) => messages.filter(({ kind }) => kind === "live.ready").length)).toEqual([
      1, 1,
    ]);
  });

  test("disconnects users who were deleted meanwhile, and clients that send messages", async () => {
    const { pool } = api.database;
    await pool.query(
      "insert into tenantry.dashboard_users (email, role, partner_id) values ('sleeps@north.test', 'PARTNER_ROOT', $1)",
      [api.partners.north],
    );
    const [gone, speaks] = [await listen("sleeps@north.test"), await listen("north")];
    await sleep();
    await pool.query("delete from tenantry.dashboard_users where email = 'sleeps@north.test'");
    await pushed(await tell("sleep.removal"));
    expect(await gone.closed).toBe(LIVE_CLOSED.noUser);
    await expect.poll(() => speaks.kinds(), SOON).toEqual(["sleep.removal"]);
    await sleep();
    speaks.socket.send("subscribe");
    expect(await speaks.closed).toBe(1008);
  });

  test("sends missed events after the object is evicted", async () => {
    const before = await listen("north");
    await api.evictLive("close");
    await before.closed;
    const missed = await tell("sleep.cut");
    const back = await listen("north", `?after=${before.ready.id}`);
    expect(back.kinds()).toEqual(["sleep.cut"]);
    expect(back.ready.id).toBe(missed.id);
  });
});

test("requires a login, an own page, a WebSocket and a valid ID", async () => {
  const status = async (path: string, email: string | undefined, headers: Record<string, string>) =>
    (await api.fetch(path, { ...(email !== undefined && { email }), headers })).status;
  const { root } = api.emails;
  expect(await status("/live", undefined, upgrade)).toBe(401);
  expect(await status("/live", "stranger@north.test", upgrade)).toBe(403);
  expect(await status("/live", root, { ...upgrade, origin: "https://of-north.example.test:8443" })).toBe(403);
  expect(await status("/live", root, { ...upgrade, origin: "null" })).toBe(403);
  expect(await status("/live", root, {})).toBe(400);
  for (const after of ["x", "-1", "1e3", "9999999999999999", "%00"])
    expect([after, await status(`/live?after=${after}`, root, upgrade)]).toEqual([after, 400]);
  expect(await status("/live", root, { ...upgrade, origin: "https://dash.example.test:8443" })).toBe(101);
  // The listener's identity comes from the login only.
  const forged = { email: root, callerId: crypto.randomUUID(), after: 0 };
  expect(await status("/live", undefined, { ...upgrade, "x-listen": JSON.stringify(forged) })).toBe(401);
});

test("limits a caller to twenty open dashboards", async () => {
  const { pool } = api.database;
  await pool.query("insert into tenantry.dashboard_users (email, role) values ('many@platform.test', 'ROOT')");
  for (let n = 0; n < 20; n += 1) await listen("many@platform.test");
  const refused = await api.fetch("/live", { email: "many@platform.test", headers: upgrade });
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "60"]);
});

test("accepts events only with the token and a valid body, and sends only events of the database", async () => {
  const root = await listen("root");
  const made = untold("made.up", 999_999_999);
  for (const token of [null, "wrong", `${LIVE_TOKEN}x`])
    expect((await push({ last: 1, events: [made] }, token)).status).toBe(401);
  for (const body of [{}, { last: 1, events: [] }, { last: 1, events: [{ ...made, at: "now" }] }, []])
    expect((await push(body)).status).toBe(400);
  expect(await pushed(made)).toBe(204);
  await pushed(await tell("real.one"));
  await expect.poll(() => root.kinds(), SOON).toEqual(["real.one"]);
  expect((await api.fetch("/internal/live", { email: api.emails.root })).status).not.toBe(204);
});

test("asks the service to retry while the database is unavailable, and loses no event", async () => {
  const root = await listen("root");
  const event = await tell("while.away");
  await withoutDatabase(api.database, async () => expect(await pushed(event)).toBe(503));
  expect(root.kinds()).toEqual([]);
  expect(await pushed(event)).toBe(204);
  await expect.poll(() => root.kinds(), SOON).toEqual(["while.away"]);
});
