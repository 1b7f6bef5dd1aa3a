/** Invitations that are not open: API clients get one error, the page shows the outcome. */
import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { json, useInvitations } from "../testing/invitations.ts";

const { context, invite, get, post, userRow } = useInvitations();

test("returns the same error for unknown, used, expired, replaced, deleted and malformed tokens", async () => {
  const { pool } = context.dashboard.database;
  const used = await invite();
  await post(used.token, { decision: "accept" });
  const expired = await invite({ email: "eve@acme.test", expires: new Date(Date.now() - 1_000) });
  const replaced = await invite({ email: "rob@acme.test" });
  await pool.query("update tenantry.client_users set token_hash = null where id = $1", [replaced.id]);
  const going = await invite({ email: "guy@acme.test" });
  const known = [used.token, expired.token, replaced.token];
  const tokens = [...known, randomBytes(32).toString("base64url"), "x", "%00", "%ff", "..%2f", "a".repeat(2_000)];
  const answersTo = async (token: string) => {
    const reported = [];
    const page = await get(token);
    for (const response of [await get(token, json), await post(token, { decision: "accept" }), page]) {
      const headers = [...response.headers].filter(([name]) => name !== "content-security-policy" && name !== "date");
      reported.push([response.status, headers, response === page || (await response.text())]);
    }
    return reported;
  };
  const reference = await answersTo(tokens[3] ?? "");
  expect(reference.map(([status]) => status)).toEqual([404, 404, 404]);
  for (const token of tokens) {
    // Each request comes from another address.
    context.network = `203.0.113.${tokens.indexOf(token)}`;
    expect([token, await answersTo(token)]).toEqual([token, reference]);
  }
  await pool.query("update tenantry.clients set delete_after = now() where id = $1", [context.client_id]);
  context.network = "203.0.113.200";
  expect(await answersTo(going.token)).toEqual(reference);
  expect((await userRow(expired.id)).status).toBe("invited");
});

test("shows the outcome of a closed invitation with the partner's branding and a contact", async () => {
  const { pool } = context.dashboard.database;
  const style = JSON.stringify({ display_name: "North", support_address: "help@north.test" });
  await pool.query("update tenantry.partners set style = $2 where id = $1", [context.partner, style]);
  const change = async (set: string, email: string) => {
    const { id, token } = await invite({ email });
    await pool.query(`update tenantry.client_users set ${set} where id = $1`, [id]);
    return { id, token };
  };
  const accepted = await invite();
  await post(accepted.token, { decision: "accept" });
  const rejected = await invite({ email: "rob@acme.test" });
  await post(rejected.token, { decision: "reject" });
  const withdrawn = await change("token_hash = null, token_expires_at = now()", "wil@acme.test");
  const replaced = await change("token_hash = null", "rep@acme.test");
  const removed = await change("token_hash = null", "gone@acme.test");
  await pool.query("delete from tenantry.client_users where id = $1", [removed.id]);
  const expired = await invite({ email: "eve@acme.test", expires: new Date(Date.now() - 1_000) });
  const reported = async (token: string) => {
    const page = await get(token, { accept: "text/html" });
    const html = await page.text();
    expect([page.status, page.headers.get("cache-control"), html.includes("acme.test")]).toEqual([
      404,
      "no-store",
      false,
    ]);
    return [/<h1>(.*?)<\/h1>/.exec(html)?.[1], html.includes("mailto:help@north.test")];
  };
  expect(await reported(accepted.token)).toEqual(["This invitation was accepted", true]);
  expect(await reported(rejected.token)).toEqual(["This invitation was rejected", true]);
  expect(await reported(withdrawn.token)).toEqual(["This invitation was withdrawn", true]);
  expect(await reported(replaced.token)).toEqual(["This invitation was sent again", true]);
  expect(await reported(expired.token)).toEqual(["This invitation has expired", true]);
  for (const token of [removed.token, "never-was"])
    expect(await reported(token)).toEqual(["Invitation not found", false]);
  // The newest invitation counts.
  await pool.query(
    "update tenantry.client_users set status = 'invited', token_expires_at = now() + '1 day' where id = $1",
    [rejected.id],
  );
  expect(await reported(rejected.token)).toEqual(["This invitation was sent again", true]);
  await pool.query("update tenantry.client_users set token_hash = '\\x01' where id = $1", [withdrawn.id]);
  expect(await reported(withdrawn.token)).toEqual(["This invitation was sent again", true]);
  const page = await (await get(accepted.token, { accept: "text/html" })).text();
  expect(page).toContain(`href="https://${context.slug}.example.test:8443/"`);
  await pool.query("update tenantry.clients set delete_after = now() where id = $1", [context.client_id]);
  expect(await reported(accepted.token)).toEqual(["Invitation not found", false]);
});
