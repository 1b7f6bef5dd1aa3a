/** Invalid decisions, rate limits, and the data that public routes return. */
import http from "node:http";
import pg from "pg";
import { expect, test } from "vitest";
import { json, useInvitations } from "../testing/invitations.ts";
import { withoutDatabase } from "../testing/without-database.ts";

const { context, invite, get, post, userRow } = useInvitations();

test("refuses invalid, cross-origin and large decisions, and keeps the invitation open", async () => {
  const { id, token } = await invite();
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
  expect((await userRow(id)).status).toBe("invited");
  const sent = await post(token, "decision=accept", {
    ...form,
    accept: "text/html",
    origin: "null",
    "sec-fetch-site": "same-origin",
  });
  expect([sent.status, await sent.text()]).toEqual([
    200,
    expect.stringContaining(`href="https://${context.slug}.example.test:8443/"`),
  ]);
});

test("reads only the start of large bodies without a login", async () => {
  const most = 64;
  const chunk = Buffer.alloc(1024 * 1024, "x");
  let sent = 0;
  const answered = new Promise<number | undefined>((resolve, reject) => {
    const { hostname, port } = context.dashboard.direct;
    const headers = {
      host: new URL(context.dashboard.url).host,
      "cf-connecting-ip": context.network,
      "content-type": "application/json",
    };
    const request = http.request({ hostname, port, path: "/invitations/nobody", method: "POST", headers });
    let status: number | undefined;
    const send = () => {
      if (status !== undefined || sent === most) return void request.end();
      sent += 1;
      request.write(chunk, () => setImmediate(send));
    };
    // The server may close the connection while the body is being sent.
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

test("shows the partner's logo at its public address", async () => {
  const { token } = await invite();
  const page = async () => (await get(token, { accept: "text/html" })).text();
  expect(await page()).not.toContain("<img");
  const logo = (key: string | null) =>
    context.dashboard.database.pool.query(
      "update tenantry.partners set logo_key = $2, logo_type = case when $2::text is null then null else 'image/png' end where id = $1",
      [context.partner, key],
    );
  await logo(`partners/${context.partner}/0a1b2c/upload`);
  expect(await page()).toContain(`<img class="logo" src="/logos/${context.partner}?hash=0a1b2c"`);
  await logo(null);
  expect(await page()).not.toContain("<img");
});

test("limits the tokens that a network can try", async () => {
  const { token } = await invite();
  context.network = "2001:db8:1:2::1";
  const statuses: number[] = [];
  for (let n = 0; n < 30; n += 1) statuses.push((await get(`guess-${n}`, json)).status);
  expect(statuses).toEqual(Array(30).fill(404));
  context.network = "2001:db8:1:2::2";
  const refused = await get(token, json);
  expect([refused.status, Number(refused.headers.get("retry-after")) > 0]).toEqual([429, true]);
  expect(refused.headers.get("cache-control")).toBe("no-store");
  context.network = "2001:db8:1:3::1";
  expect((await get(token, json)).status).toBe(200);
});

test("requires a login for everything but the invitation", async () => {
  for (const path of ["/invitations", "/invitations/", "/invitations/a/b", "/api/invitations/a", "/"])
    expect([path, (await context.dashboard.fetch(path)).status]).toEqual([path, 401]);
  const { token } = await invite();
  const wrong = await context.dashboard.fetch(`/invitations/${token}`, {
    method: "DELETE",
    headers: { "cf-connecting-ip": context.network },
  });
  expect(wrong.status).toBe(401);
});

test("serves invitations with a database role without other rights", async () => {
  const client = new pg.Client({ connectionString: context.dashboard.database.urlOf("dashboard") });
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

test("reports an unavailable database", async () => {
  const { token } = await invite();
  await withoutDatabase(context.dashboard.database, async () => expect((await get(token, json)).status).toBe(503));
  expect((await get(token, json)).status).toBe(200);
});
