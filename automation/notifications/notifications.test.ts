/** Mails about what happened to a client: once to each ADMIN, at once or with others. */
import { createHash } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { insertClient, insertClientUser, insertInstance } from "#database/testing/fixtures.ts";
import type { TestDatabase } from "#database/testing/test-database.ts";
import { useMailedService } from "../testing/mailed-service.ts";
import { requestRun } from "../testing/requested-run.ts";
import { startSmtpStandIn } from "../testing/smtp-stand-in.ts";
import { startTestService } from "../testing/test-service.ts";
import { lastDigestTime } from "./sweep.ts";

const mailed = useMailedService();
const { endings, service, received } = mailed;
let database: TestDatabase;
beforeAll(() => {
  database = mailed.database();
});

const query = async (statement: string, values: unknown[] = []) => (await database.pool.query(statement, values)).rows;

async function tenant(slug: string, name = slug) {
  const clientId = await insertClient(database.db, { slug, name });
  const instanceId = await insertInstance(database.db, clientId);
  const user = (who: string, values: object = {}) =>
    insertClientUser(database.db, {
      client_id: clientId,
      email: `${who}@${slug}.test`,
      status: "validated",
      name: who,
      ...values,
    });
  return { clientId, instanceId, user };
}

/** Records an occurrence, as a trigger does. */
async function note(clientId: string, kind: string, subject: string, data: object = {}) {
  const statement = "select tenantry.note_occurrence($1, $2, $3, $4)";
  for (let time = 0; time < 2; time += 1) await query(statement, [clientId, kind, subject, data]);
}

/** Waits until a client's notifications have deliveries, and these have ended or wait. */
const settled = (clientId: string) =>
  expect
    .poll(
      () =>
        query(
          `select 1 from tenantry.notifications n left join tenantry.notification_deliveries d on d.notification_id = n.id
           where n.client_id = $1 and (n.distributed_at is null or d.state = 'queued')`,
          [clientId],
        ),
      { timeout: 60_000 },
    )
    .toEqual([]);

const states = (clientId: string) =>
  query(
    `select u.email, n.kind, d.channel, d.state from tenantry.notification_deliveries d
     join tenantry.notifications n on n.id = d.notification_id join tenantry.client_users u on u.id = d.client_user_id
     where n.client_id = $1 order by u.email, n.kind, d.channel`,
    [clientId],
  );

const INVOICE = { from: "2026-10-01", to: "2026-10-31", total_micros: 12_340_000, currency: "USD" };

test("each ADMIN gets one mail for each occurrence, with two replicas and repeated jobs", async () => {
  const { clientId, user } = await tenant("once", "Once & <Co>");
  await user("ada");
  await user("bob");
  await user("base", { role: "BASE_USER" });
  await user("invited", { status: "invited" });
  await Promise.all([service(), service()]);
  await note(clientId, "invoice", "invoice:1", INVOICE);
  await settled(clientId);
  const [{ id }] = await query("select id from tenantry.notifications where client_id = $1", [clientId]);
  await query("select graphile_worker.add_job('notification', $1::json)", [JSON.stringify({ id })]);
  await note(clientId, "invoice", "invoice:2", INVOICE);
  await expect.poll(() => received("bob@once.test"), { timeout: 60_000 }).toHaveLength(2);
  await settled(clientId);
  for (const who of ["ada", "bob"]) expect(await received(`${who}@once.test`)).toHaveLength(2);
  for (const who of ["base", "invited"]) expect(await received(`${who}@once.test`)).toEqual([]);
  const [message] = await received("ada@once.test");
  expect(message?.subject).toBe("New invoice for Once & <Co>");
  expect(message?.text).toContain("The invoice for 2026-10-01 to 2026-10-31 is $12.34.");
  expect(message?.html).toContain("Once &amp; &lt;Co&gt;");
  expect(message?.html).not.toContain("<Co>");
  expect((await states(clientId)).map(({ email, state }) => [email, state])).toEqual([
    ["ada@once.test", "sent"],
    ["ada@once.test", "sent"],
    ["bob@once.test", "sent"],
    ["bob@once.test", "sent"],
  ]);
});

test("an occurrence during which no service runs is sent once after the start", async () => {
  const { clientId, instanceId, user } = await tenant("later");
  await user("ada");
  await query(
    `insert into tenantry.incidents (environment, client_id, instance_id, kind, cause, remedy)
     values ('production', $1, $2, 'gateway_dead', 'x', 'y')`,
    [clientId, instanceId],
  );
  const first = await startTestService(database, { SMTP_URL: mailed.mail().smtpUrl });
  await settled(clientId);
  await first.stop();
  await service();
  await query("update tenantry.incidents set closed_at = now() where client_id = $1", [clientId]);
  await expect.poll(() => received("ada@later.test"), { timeout: 60_000 }).toHaveLength(2);
  expect((await received("ada@later.test")).map(({ subject }) => subject).toSorted()).toEqual([
    "later is not running",
    "later runs again",
  ]);
});

test("a mail has a link for this user and its kind, and headers for one click", async () => {
  const stand = await startSmtpStandIn();
  endings.push(() => stand.stop());
  const { clientId, user } = await tenant("link", "Evil\r\nBcc: spy@evil.example");
  const userId = await user("ada");
  await service({ SMTP_URL: stand.url });
  await note(clientId, "new_device", "token:1", {
    name: "Lap\r\n\r\ntop",
    role: "ADMIN",
    user: "ada@link.test",
    by: "operator",
    mailed: null,
  });
  await settled(clientId);
  const sent = stand.messages.find((message) => message.includes("ada@link.test"));
  const head = sent?.split("\r\n\r\n")[0]?.replaceAll(/\r\n\s+/g, " ") ?? "";
  expect(head).not.toMatch(/^bcc:/im);
  expect(head).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click$/im);
  const [, token = ""] =
    /^List-Unsubscribe: <https:\/\/dash\.agents\.example\.com\/invitations\/unsubscribe\/([\w-]{43})>$/im.exec(head) ??
    [];
  const hash = createHash("sha256").update(token).digest();
  expect(
    await query("select client_user_id, kinds from tenantry.notification_unsubscribes where token_hash = $1", [hash]),
  ).toEqual([{ client_user_id: userId, kinds: ["new_device"] }]);
});

test("the user of a token that another person created gets no second mail about it, but one about a new device", async () => {
  const { clientId, user } = await tenant("token");
  const userId = await user("ada");
  await user("bob");
  await service();
  const data = { name: "Phone", role: "ADMIN", user: "ada@token.test", by: "bob@token.test", mailed: userId };
  await note(clientId, "new_device", "token:2", data);
  await settled(clientId);
  expect((await states(clientId)).map(({ email }) => email)).toEqual(["bob@token.test"]);
  const device = { device: "Laptop", platform: "darwin", at: "2026-11-01T10:05:00.000Z", waits: true };
  await note(clientId, "new_device", "device:1", device);
  await expect.poll(() => received("ada@token.test"), { timeout: 60_000 }).toHaveLength(1);
  const [message] = await received("ada@token.test");
  expect(message?.subject).toBe("A new device waits for approval at token");
  expect(message?.text).toContain('The device "Laptop" (darwin) asked on Sunday, 1 November 2026 at 10:05 (UTC)');
  expect(message?.text).toContain("Approve or reject it in the console, on the page People.");
});

test("a digest has what waits since before its time, in one mail", async () => {
  const { clientId, user } = await tenant("digest");
  const userId = await user("ada");
  const started = await service();
  for (const [subject, version] of [
    ["image:1", "1.1.0"],
    ["image:2", "1.2.0"],
  ])
    await note(clientId, "new_version", subject ?? "", { what: "available", gateway: "openclaw", version });
  await settled(clientId);
  expect((await states(clientId)).map(({ state }) => state)).toEqual(["waiting", "waiting"]);
  // Too late for the last digest.
  await requestRun(database, "sweep_notifications");
  expect((await states(clientId)).map(({ state }) => state)).toEqual(["waiting", "waiting"]);
  await query(
    "update tenantry.notification_deliveries set created_at = now() - interval '2 days' where client_user_id = $1",
    [userId],
  );
  await Promise.all([requestRun(database, "sweep_notifications"), requestRun(database, "sweep_notifications")]);
  await started.lines.find(({ event }) => event === "mail_sent");
  await settled(clientId);
  const messages = await received("ada@digest.test");
  expect(messages.map(({ subject }) => subject)).toEqual(["2 notifications of digest"]);
  for (const version of ["1.1.0", "1.2.0"]) expect(messages[0]?.text).toContain(`openclaw ${version}.`);
  expect((await states(clientId)).map(({ state }) => state)).toEqual(["sent", "sent"]);
});

test.each([
  ["demoted", "update tenantry.client_users set role = 'BASE_USER' where id = $1"],
  [
    "unsubscribed",
    `insert into tenantry.notification_settings (client_user_id, choices) values ($1, '{"new_version": {"mail": "off"}}')`,
  ],
  [
    "leaving",
    "update tenantry.clients set delete_after = now() + interval '1 day' where id = (select client_id from tenantry.client_users where id = $1)",
  ],
])("what waits for a user who is %s is dropped", async (slug, change) => {
  const { clientId, user } = await tenant(slug);
  const userId = await user("ada");
  const { lines } = await service();
  await note(clientId, "new_version", "image:1", { what: "available", gateway: "openclaw", version: "1.1.0" });
  await settled(clientId);
  await query(
    "update tenantry.notification_deliveries set created_at = now() - interval '2 days' where client_user_id = $1",
    [userId],
  );
  await query(change, [userId]);
  await requestRun(database, "sweep_notifications");
  await lines.find(({ event }) => event === "mail_dropped");
  expect((await states(clientId)).map(({ state }) => state)).toEqual(["dropped"]);
  expect(await received(`ada@${slug}.test`)).toEqual([]);
});

test("a removed user gets nothing", async () => {
  const { clientId, user } = await tenant("removed");
  const userId = await user("ada");
  await note(clientId, "invoice", "invoice:1", INVOICE);
  await query("delete from tenantry.client_users where id = $1", [userId]);
  await service();
  await settled(clientId);
  expect(await received("ada@removed.test")).toEqual([]);
});

test("what an ended process left without deliveries is found", async () => {
  const { clientId, user } = await tenant("forgotten");
  await user("ada");
  await note(clientId, "invoice", "invoice:1", INVOICE);
  await query("delete from graphile_worker._private_jobs where key like 'notification:%'");
  await query("update tenantry.notifications set occurred_at = now() - interval '1 hour' where client_id = $1", [
    clientId,
  ]);
  await service();
  await requestRun(database, "sweep_notifications");
  await settled(clientId);
  expect(await received("ada@forgotten.test")).toHaveLength(1);
});

test.each([
  ["2026-11-03T06:59:59Z", "2026-11-02T07:00:00.000Z"],
  ["2026-11-03T07:00:00Z", "2026-11-03T07:00:00.000Z"],
  ["2026-11-03T23:00:00Z", "2026-11-03T07:00:00.000Z"],
])("at %s the last digest was at %s", (now, expected) => {
  expect(lastDigestTime(new Date(now)).toISOString()).toBe(expected);
});
