/** Invitations as the invited see and answer them over HTTP, without a log-in. */
import { createHash, randomBytes } from "node:crypto";
import http from "node:http";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { insertClient, insertClientUser, insertInstance } from "#database/testing/fixtures.ts";
import { answeredInvitation, invitation as invitationSchema } from "#workers/contracts/api/people/invitations.ts";
import { errorBody } from "#workers/contracts/errors.ts";
import { type DashboardUnderTest, startDashboard } from "../testing/start-dashboard.ts";
import { withoutDatabase } from "../testing/without-database.ts";

let dashboard: DashboardUnderTest;
let partner: string;
beforeAll(async () => {
  dashboard = await startDashboard();
  const style = JSON.stringify({ colours: { accent: "#123abc" } });
  const { rows } = await dashboard.database.pool.query(
    "insert into tenantry.partners (slug, name, style) values ('north', 'North & <Sons>', $1) returning id",
    [style],
  );
  partner = rows[0].id;
});
afterAll(() => dashboard?.stop());

const EMAIL = "ada@acme.test";
const WEEK_MS = 7 * 86_400_000;
/** Each test is a network of its own. */
let network: string;
let networks = 0;
let client_id: string;
let instance: string;
beforeEach(async () => {
  networks += 1;
  network = `198.51.100.${networks}`;
  client_id = await insertClient(dashboard.database.db, {
    slug: `acme-${networks}`,
    name: "Acme",
    partner_id: partner,
  });
  instance = await insertInstance(dashboard.database.db, client_id);
});

/** An invitation whose mail was sent. */
async function invited(values: { email?: string; expires?: Date } = {}, instances = [instance]) {
  const token = randomBytes(32).toString("base64url");
  const id = await insertClientUser(
    dashboard.database.db,
    {
      client_id,
      email: values.email ?? EMAIL,
      name: "Ada",
      token_hash: createHash("sha256").update(token).digest(),
      token_expires_at: values.expires ?? new Date(Date.now() + WEEK_MS),
    },
    instances,
  );
  return { id, token };
}

const json = { accept: "application/json" };
const get = (token: string, headers: Record<string, string> = {}) =>
  dashboard.fetch(`/invitations/${token}`, { headers: { "cf-connecting-ip": network, ...headers } });
const post = (token: string, body: unknown, headers: Record<string, string> = {}) =>
  dashboard.fetch(`/invitations/${token}`, {
    method: "POST",
    headers: { "cf-connecting-ip": network, "content-type": "application/json", ...json, ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
const row = async (id: string) =>
  (await dashboard.database.pool.query("select * from tenantry.client_users where id = $1", [id])).rows[0];
const assigned = async (id: string) => {
  const { rows } = await dashboard.database.pool.query(
    "select instance_id from tenantry.client_user_instances where client_user_id = $1",
    [id],
  );
  return rows.map(({ instance_id }) => instance_id);
};

test("the page shows who invites whom in the partner's looks, and however often it is fetched it answers nothing", async () => {
  const { id, token } = await invited();
  const page = await get(token, { accept: "text/html" });
  const html = await page.text();
  expect(page.status).toBe(200);
  for (const text of ["Acme", EMAIL, "North &amp; &lt;Sons&gt;", "--accent: light-dark(#123abc, ", "Administrator"])
    expect(html).toContain(text);
  expect(html).not.toMatch(/<script|<Sons>/);
  const policy = page.headers.get("content-security-policy") ?? "";
  expect(policy).toContain("form-action 'self'");
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain(/<style nonce="([^"]+)"/.exec(html)?.[1] ?? "no nonce");
  expect([page.headers.get("referrer-policy"), page.headers.get("cache-control")]).toEqual(["no-referrer", "no-store"]);
  for (const method of ["GET", "HEAD", "GET"])
    expect(
      (await dashboard.fetch(`/invitations/${token}`, { method, headers: { "cf-connecting-ip": network } })).status,
    ).toBe(200);
  expect((await row(id)).status).toBe("invited");
  const other = await dashboard.fetch("/healthz");
  expect(other.headers.get("content-security-policy")).toContain("form-action 'none'");
});

test("a program is told the same in JSON, and nothing of the style or the token", async () => {
  const { token } = await invited();
  const body = invitationSchema.strict().parse(await (await get(token, json)).json());
  expect(body).toMatchObject({
    email: EMAIL,
    role: "ADMIN",
    client: { name: "Acme", environment: "production" },
    partner: { id: partner, name: "North & <Sons>" },
    instance_ids: [instance],
  });
});

test("accepting validates the user, records the identity, tells the news, and leads to the tenant's own address", async () => {
  const { id, token } = await invited();
  const answer = await post(token, { decision: "accept" });
  const body = answeredInvitation.parse(await answer.json());
  expect([body.status, body.address, body.instance_ids]).toEqual([
    "validated",
    `https://acme-${networks}.example.test:8443/`,
    [instance],
  ]);
  const user = await row(id);
  expect(user).toMatchObject({ status: "validated", token_hash: null, token_expires_at: null });
  expect(user.cf_access_identity).toEqual({ email: EMAIL, accepted_at: expect.any(String), source: network });
  const { pool } = dashboard.database;
  const { rows: people } = await pool.query("select cf_access_identity from tenantry.users where id = $1", [
    user.user_id,
  ]);
  expect(people[0].cf_access_identity).toEqual(user.cf_access_identity);
  const { rows: news } = await pool.query("select kind, partner_id, data from tenantry.events where client_id = $1", [
    client_id,
  ]);
  expect(news).toEqual([
    { kind: "invitation.accepted", partner_id: partner, data: { client_user_id: id, email: EMAIL } },
  ]);
  const { rows: audit } = await pool.query(
    "select actor, actor_kind, source from tenantry.audit_log where entity_id = $1 and action = 'update'",
    [id],
  );
  expect(audit).toEqual([{ actor: EMAIL, actor_kind: "dashboard", source: network }]);
  // They may enter now, and the Access list is told so.
  const { rowCount } = await pool.query("select from graphile_worker.jobs where key = $1", [`members:${instance}`]);
  expect(rowCount).toBe(1);
});

test("a log-in of the invited that comes along says how Access knows them; another's does not", async () => {
  const uuid = crypto.randomUUID();
  const cookie = async (email: string) =>
    `CF_Authorization=${await dashboard.access.token({ email, aud: ["audience-of-acme"], sub: uuid })}`;
  const [own, other] = [await invited(), await invited({ email: "bob@acme.test" })];
  await post(own.token, { decision: "accept" }, { cookie: await cookie(EMAIL) });
  await post(other.token, { decision: "accept" }, { cookie: await cookie(EMAIL) });
  expect((await row(own.id)).cf_access_identity.access_user_uuid).toBe(uuid);
  expect((await row(other.id)).cf_access_identity).not.toHaveProperty("access_user_uuid");
});

test("keys of Access that cannot be had keep nobody from accepting", async () => {
  const { id, token } = await invited();
  const cookie = `CF_Authorization=${await dashboard.access.token({ email: EMAIL, aud: ["a"] }, { kid: "never-seen" })}`;
  dashboard.access.setDown(true);
  try {
    expect((await post(token, { decision: "accept" }, { cookie })).status).toBe(200);
  } finally {
    dashboard.access.setDown(false);
  }
  expect((await row(id)).status).toBe("validated");
});

test("who rejects has no assignment left, nor an identity", async () => {
  const { id, token } = await invited();
  const body = answeredInvitation.parse(await (await post(token, { decision: "reject" })).json());
  expect([body.status, body.address]).toEqual(["rejected", null]);
  expect(await row(id)).toMatchObject({ status: "rejected", token_hash: null, cf_access_identity: null });
  expect(await assigned(id)).toEqual([]);
});

test("of the instances some may be accepted, and none that the invitation does not name", async () => {
  const { id, token } = await invited();
  const foreign = await insertInstance(dashboard.database.db, await insertClient(dashboard.database.db));
  for (const instance_ids of [[foreign], [instance, foreign], []]) {
    const refused = await post(token, { decision: "accept", instance_ids });
    expect([refused.status, errorBody.parse(await refused.json()).error.code]).toEqual([400, "invalid_request"]);
  }
  expect((await row(id)).status).toBe("invited");
  const accepted = await post(token, { decision: "accept", instance_ids: [instance] });
  expect([accepted.status, await assigned(id)]).toEqual([200, [instance]]);
});

test("of twenty answers at once one counts", async () => {
  const { id, token } = await invited();
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => post(token, { decision: n % 2 ? "accept" : "reject" })),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(19).fill(404)]);
  const won = answers.findIndex(({ status }) => status === 200);
  expect((await row(id)).status).toBe(won % 2 ? "validated" : "rejected");
  const { rowCount } = await dashboard.database.pool.query("select from tenantry.events where client_id = $1", [
    client_id,
  ]);
  expect(rowCount).toBe(1);
});

test("tokens that are unknown, used, expired, replaced, of a client that goes, or rubbish are told alike", async () => {
  const { pool } = dashboard.database;
  const used = await invited();
  await post(used.token, { decision: "accept" });
  const expired = await invited({ email: "eve@acme.test", expires: new Date(Date.now() - 1_000) });
  const replaced = await invited({ email: "rob@acme.test" });
  await pool.query("update tenantry.client_users set token_hash = null where id = $1", [replaced.id]);
  const going = await invited({ email: "guy@acme.test" });
  const known = [used.token, expired.token, replaced.token];
  const tokens = [...known, randomBytes(32).toString("base64url"), "x", "%00", "%ff", "..%2f", "a".repeat(2_000)];
  const answersTo = async (token: string) => {
    const told = [];
    const page = await get(token);
    for (const response of [await get(token, json), await post(token, { decision: "accept" }), page]) {
      const headers = [...response.headers].filter(([name]) => name !== "content-security-policy" && name !== "date");
      told.push([response.status, headers, response === page || (await response.text())]);
    }
    return told;
  };
  const reference = await answersTo(tokens[3] ?? "");
  expect(reference.map(([status]) => status)).toEqual([404, 404, 404]);
  for (const token of tokens) {
    // Each as one who has not asked before.
    network = `203.0.113.${tokens.indexOf(token)}`;
    expect([token, await answersTo(token)]).toEqual([token, reference]);
  }
  await pool.query("update tenantry.clients set delete_after = now() where id = $1", [client_id]);
  network = "203.0.113.200";
  expect(await answersTo(going.token)).toEqual(reference);
  expect((await row(expired.id)).status).toBe("invited");
});

test("who follows a link that is not open is told what became of it, in the partner's looks, and whom to ask", async () => {
  const { pool } = dashboard.database;
  const style = JSON.stringify({ display_name: "North", support_address: "help@north.test" });
  await pool.query("update tenantry.partners set style = $2 where id = $1", [partner, style]);
  const change = async (set: string, email: string) => {
    const { id, token } = await invited({ email });
    await pool.query(`update tenantry.client_users set ${set} where id = $1`, [id]);
    return { id, token };
  };
  const accepted = await invited();
  await post(accepted.token, { decision: "accept" });
  const rejected = await invited({ email: "rob@acme.test" });
  await post(rejected.token, { decision: "reject" });
  const withdrawn = await change("token_hash = null, token_expires_at = now()", "wil@acme.test");
  const replaced = await change("token_hash = null", "rep@acme.test");
  const removed = await change("token_hash = null", "gone@acme.test");
  await pool.query("delete from tenantry.client_users where id = $1", [removed.id]);
  const expired = await invited({ email: "eve@acme.test", expires: new Date(Date.now() - 1_000) });
  const told = async (token: string) => {
    const page = await get(token, { accept: "text/html" });
    const html = await page.text();
    expect([page.status, page.headers.get("cache-control"), html.includes("acme.test")]).toEqual([
      404,
      "no-store",
      false,
    ]);
    return [/<h1>(.*?)<\/h1>/.exec(html)?.[1], html.includes("mailto:help@north.test")];
  };
  expect(await told(accepted.token)).toEqual(["This invitation was accepted", true]);
  expect(await told(rejected.token)).toEqual(["This invitation was rejected", true]);
  expect(await told(withdrawn.token)).toEqual(["This invitation was withdrawn", true]);
  expect(await told(replaced.token)).toEqual(["This invitation was sent again", true]);
  expect(await told(expired.token)).toEqual(["This invitation has expired", true]);
  for (const token of [removed.token, "never-was"])
    expect(await told(token)).toEqual(["Invitation not found", false]);
  // The newest of all is what counts.
  await pool.query(
    "update tenantry.client_users set status = 'invited', token_expires_at = now() + '1 day' where id = $1",
    [rejected.id],
  );
  expect(await told(rejected.token)).toEqual(["This invitation was sent again", true]);
  await pool.query("update tenantry.client_users set token_hash = '\\x01' where id = $1", [withdrawn.id]);
  expect(await told(withdrawn.token)).toEqual(["This invitation was sent again", true]);
  const page = await (await get(accepted.token, { accept: "text/html" })).text();
  expect(page).toContain(`href="https://acme-${networks}.example.test:8443/"`);
  await pool.query("update tenantry.clients set delete_after = now() where id = $1", [client_id]);
  expect(await told(accepted.token)).toEqual(["Invitation not found", false]);
});

test("what is no decision, no form, foreign or too large is refused, and the invitation stays open", async () => {
  const { id, token } = await invited();
  const form = { "content-type": "application/x-www-form-urlencoded" };
  const statuses = await Promise.all([
    post(token, {}),
    post(token, { decision: "maybe" }),
    post(token, { decision: "accept", email: "other@acme.test" }),
    post(token, "{"),
    post(token, "decision=accept", { "content-type": "text/plain" }),
    post(token, `decision=accept&x=${"x".repeat(20_000)}`, form),
    post(token, "decision=accept", { ...form, origin: "https://acme.example.test:8443" }),
    post(token, "decision=accept", { ...form, origin: "null", "sec-fetch-site": "cross-site" }),
    post(token, "decision=accept", { ...form, origin: "null" }),
  ]);
  expect(statuses.map(({ status }) => status)).toEqual([400, 400, 400, 400, 415, 413, 403, 403, 403]);
  expect((await row(id)).status).toBe("invited");
  const sent = await post(token, "decision=accept", {
    ...form,
    accept: "text/html",
    origin: "null",
    "sec-fetch-site": "same-origin",
  });
  expect([sent.status, await sent.text()]).toEqual([
    200,
    expect.stringContaining(`href="https://acme-${networks}.example.test:8443/"`),
  ]);
});

test("of what anybody sends without a log-in no more is read than is worth it, whatever it says of its length", async () => {
  const most = 64;
  const chunk = Buffer.alloc(1024 * 1024, "x");
  let sent = 0;
  const answered = new Promise<number | undefined>((resolve, reject) => {
    const { hostname, port } = dashboard.direct;
    const headers = {
      host: new URL(dashboard.url).host,
      "cf-connecting-ip": network,
      "content-type": "application/json",
    };
    const request = http.request({ hostname, port, path: "/invitations/nobody", method: "POST", headers });
    let status: number | undefined;
    const send = () => {
      if (status !== undefined || sent === most) return void request.end();
      sent += 1;
      request.write(chunk, () => setImmediate(send));
    };
    // It may be cut off while it sends what nobody reads.
    request.on("error", (error) => (status === undefined ? reject(error) : undefined));
    request.on("response", (response) => {
      status = response.statusCode;
      response.resume();
      resolve(status);
    });
    send();
  });
  expect(await answered).toBe(413);
  expect(sent).toBeLessThan(most / 2);
});

test("the page shows the partner's logo, where it is had without a log-in", async () => {
  const { token } = await invited();
  const page = async () => (await get(token, { accept: "text/html" })).text();
  expect(await page()).not.toContain("<img");
  const logo = (key: string | null) =>
    dashboard.database.pool.query(
      "update tenantry.partners set logo_key = $2, logo_type = case when $2::text is null then null else 'image/png' end where id = $1",
      [partner, key],
    );
  await logo(`partners/${partner}/0a1b2c/upload`);
  expect(await page()).toContain(`<img class="logo" src="/logos/${partner}?hash=0a1b2c"`);
  await logo(null);
  expect(await page()).not.toContain("<img");
});

test("a network that tries many tokens is told to wait, good tokens or bad, and no other network with it", async () => {
  const { token } = await invited();
  network = "2001:db8:1:2::1";
  const statuses: number[] = [];
  for (let n = 0; n < 30; n += 1) statuses.push((await get(`guess-${n}`, json)).status);
  expect(statuses).toEqual(Array(30).fill(404));
  network = "2001:db8:1:2::2";
  const refused = await get(token, json);
  expect([refused.status, Number(refused.headers.get("retry-after")) > 0]).toEqual([429, true]);
  expect(refused.headers.get("cache-control")).toBe("no-store");
  network = "2001:db8:1:3::1";
  expect((await get(token, json)).status).toBe(200);
});

test("nothing but the invitation itself is open without a log-in", async () => {
  for (const path of ["/invitations", "/invitations/", "/invitations/a/b", "/api/invitations/a", "/"])
    expect([path, (await dashboard.fetch(path)).status]).toEqual([path, 401]);
  const { token } = await invited();
  const wrong = await dashboard.fetch(`/invitations/${token}`, {
    method: "DELETE",
    headers: { "cf-connecting-ip": network },
  });
  expect(wrong.status).toBe(401);
});

test("the role that serves it can read and write nothing else", async () => {
  const client = new pg.Client({ connectionString: dashboard.database.urlOf("dashboard") });
  await client.connect();
  try {
    for (const query of [
      "select tenantry.invitation_of(gen_random_uuid())",
      "select tenantry.invited_by('x')",
      "select * from tenantry.client_users",
      "update tenantry.client_users set status = 'validated'",
      "select * from tenantry.past_invitations",
    ])
      await expect(client.query(query)).rejects.toThrow(/permission denied/);
  } finally {
    await client.end();
  }
});

test("a database that is away is told as such", async () => {
  const { token } = await invited();
  await withoutDatabase(dashboard.database, async () => expect((await get(token, json)).status).toBe(503));
  expect((await get(token, json)).status).toBe(200);
});
