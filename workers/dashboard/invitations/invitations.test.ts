/** The invitation page and decisions over HTTP, without login. */
import { expect, test } from "vitest";
import { insertClient, insertInstance } from "#database/testing/fixtures.ts";
import { answeredInvitation, invitation as invitationSchema } from "#workers/contracts/api/people/invitations.ts";
import { errorBody } from "#workers/contracts/errors.ts";
import { EMAIL, json, useInvitations } from "../testing/invitations.ts";

const { context, invite, get, post, userRow, assignedInstances } = useInvitations();

test("shows the invitation with the partner's branding, and changes nothing when it is fetched", async () => {
  const { id, token } = await invite();
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
      (
        await context.dashboard.fetch(`/invitations/${token}`, {
          method,
          headers: { "cf-connecting-ip": context.network },
        })
      ).status,
    ).toBe(200);
  expect((await userRow(id)).status).toBe("invited");
  const other = await context.dashboard.fetch("/healthz");
  expect(other.headers.get("content-security-policy")).toContain("form-action 'none'");
});

test("returns the invitation as JSON without style and token", async () => {
  const { token } = await invite();
  const body = invitationSchema.strict().parse(await (await get(token, json)).json());
  expect(body).toMatchObject({
    email: EMAIL,
    role: "ADMIN",
    client: { name: "Acme", environment: "production" },
    partner: { id: context.partner, name: "North & <Sons>" },
    instance_ids: [context.instance],
  });
});

test("validates the user, stores the identity, sends an event and links to the tenant on acceptance", async () => {
  const { id, token } = await invite();
  const answer = await post(token, { decision: "accept" });
  const body = answeredInvitation.parse(await answer.json());
  expect([body.status, body.address, body.instance_ids]).toEqual([
    "validated",
    `https://${context.slug}.example.test:8443/`,
    [context.instance],
  ]);
  const user = await userRow(id);
  expect(user).toMatchObject({ status: "validated", token_hash: null, token_expires_at: null });
  expect(user.cf_access_identity).toEqual({ email: EMAIL, accepted_at: expect.any(String), source: context.network });
  const { pool } = context.dashboard.database;
  const { rows: people } = await pool.query("select cf_access_identity from tenantry.users where id = $1", [
    user.user_id,
  ]);
  expect(people[0].cf_access_identity).toEqual(user.cf_access_identity);
  const { rows: updates } = await pool.query(
    "select kind, partner_id, data from tenantry.events where client_id = $1",
    [context.client_id],
  );
  expect(updates).toEqual([
    { kind: "invitation.accepted", partner_id: context.partner, data: { client_user_id: id, email: EMAIL } },
  ]);
  const { rows: audit } = await pool.query(
    "select actor, actor_kind, source from tenantry.audit_log where entity_id = $1 and action = 'update'",
    [id],
  );
  expect(audit).toEqual([{ actor: EMAIL, actor_kind: "dashboard", source: context.network }]);
  // The user has access now, and the Access group is updated.
  const { rowCount } = await pool.query("select from graphile_worker.jobs where key = $1", [
    `members:${context.instance}`,
  ]);
  expect(rowCount).toBe(1);
});

test("stores the Access identity of the invited user's login, and ignores other logins", async () => {
  const uuid = crypto.randomUUID();
  const cookie = async (email: string) =>
    `CF_Authorization=${await context.dashboard.access.token({ email, aud: ["audience-of-acme"], sub: uuid })}`;
  const [own, other] = [await invite(), await invite({ email: "bob@acme.test" })];
  await post(own.token, { decision: "accept" }, { cookie: await cookie(EMAIL) });
  await post(other.token, { decision: "accept" }, { cookie: await cookie(EMAIL) });
  expect((await userRow(own.id)).cf_access_identity.access_user_uuid).toBe(uuid);
  expect((await userRow(other.id)).cf_access_identity).not.toHaveProperty("access_user_uuid");
});

test("accepts an invitation while the keys of Access are unavailable", async () => {
  const { id, token } = await invite();
  const cookie = `CF_Authorization=${await context.dashboard.access.token({ email: EMAIL, aud: ["a"] }, { kid: "never-seen" })}`;
  context.dashboard.access.setDown(true);
  try {
    expect((await post(token, { decision: "accept" }, { cookie })).status).toBe(200);
  } finally {
    context.dashboard.access.setDown(false);
  }
  expect((await userRow(id)).status).toBe("validated");
});

test("removes assignments and identity on rejection", async () => {
  const { id, token } = await invite();
  const body = answeredInvitation.parse(await (await post(token, { decision: "reject" })).json());
  expect([body.status, body.address]).toEqual(["rejected", null]);
  expect(await userRow(id)).toMatchObject({ status: "rejected", token_hash: null, cf_access_identity: null });
  expect(await assignedInstances(id)).toEqual([]);
});

test("accepts a part of the instances, and no others", async () => {
  const { id, token } = await invite();
  const foreign = await insertInstance(
    context.dashboard.database.db,
    await insertClient(context.dashboard.database.db),
  );
  for (const instance_ids of [[foreign], [context.instance, foreign], []]) {
    const refused = await post(token, { decision: "accept", instance_ids });
    expect([refused.status, errorBody.parse(await refused.json()).error.code]).toEqual([400, "invalid_request"]);
  }
  expect((await userRow(id)).status).toBe("invited");
  const accepted = await post(token, { decision: "accept", instance_ids: [context.instance] });
  expect([accepted.status, await assignedInstances(id)]).toEqual([200, [context.instance]]);
});

test("stores one of twenty concurrent decisions", async () => {
  const { id, token } = await invite();
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => post(token, { decision: n % 2 ? "accept" : "reject" })),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(19).fill(404)]);
  const won = answers.findIndex(({ status }) => status === 200);
  expect((await userRow(id)).status).toBe(won % 2 ? "validated" : "rejected");
  const { rowCount } = await context.dashboard.database.pool.query("select from tenantry.events where client_id = $1", [
    context.client_id,
  ]);
  expect(rowCount).toBe(1);
});
