import { createHash } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import type { TestDatabase } from "#database/testing/test-database.ts";
import { deletionNotices, insertErasure } from "../testing/deletion-mails.ts";
import { type Invited, insertMail, invite, mailState, tokenHash } from "../testing/mail-rows.ts";
import { useMailedService } from "../testing/mailed-service.ts";
import { type ServiceProcess, startServiceProcess } from "../testing/service-process.ts";
import { startSmtpStandIn } from "../testing/smtp-stand-in.ts";

const mailed = useMailedService();
const { endings, service, received } = mailed;
let database: TestDatabase;
beforeAll(() => {
  database = mailed.database();
});

function serviceProcess(smtpUrl: string): ServiceProcess {
  const started = startServiceProcess(database, { SMTP_URL: smtpUrl });
  endings.push(() => started.kill());
  return started;
}

const linkIn = (text: string) =>
  /https:\/\/dash\.agents\.example\.com\/invitations\/([\w-]{43})(?![\w-])/.exec(text)?.[1] ?? "";
const hashOf = (token: string) => createHash("sha256").update(token).digest("hex");
const about =
  ({ mailId }: Invited, event: string) =>
  (line: { event: string; mail?: unknown }) =>
    line.event === event && line.mail === mailId;

describe("an invitation", () => {
  test("is sent with a unique link, in the partner's branding", async () => {
    const { lines } = await service();
    const partner = {
      name: 'Globex "&" <Sons>',
      style: { colours: { accent: "#aa0011", text: "red;} body{" } },
    };
    const invited = await invite(database, "ada@acme.example", { name: "Ada <b>", partner });
    await lines.find(about(invited, "mail_sent"));
    const [message, ...others] = await received("ada@acme.example");
    expect(others).toEqual([]);
    expect(message?.subject).toBe("Invitation to Acme <Corporation>");
    const token = linkIn(message?.text ?? "");
    expect(await tokenHash(database, invited.userId)).toBe(hashOf(token));
    expect(linkIn(message?.html ?? "")).toBe(token);
    expect(message?.html).toContain("Acme &lt;Corporation&gt;");
    expect(message?.html).toContain("Ada &lt;b&gt;");
    expect(message?.html).toMatch(
      /<img src="https:\/\/dash\.agents\.example\.com\/logos\/[0-9a-f-]{36}\?hash=0a1b2c" alt="Globex &quot;&amp;&quot; &lt;Sons&gt;"/,
    );
    expect(message?.html).toContain("#aa0011");
    expect(message?.html).not.toContain("red;}");
    const state = await mailState(database, invited.mailId);
    expect(state.mail.status).toBe("sent");
    expect(state.attempts).toMatchObject([{ attempt: 1, outcome: "sent" }]);
    expect(state.events).toMatchObject([
      {
        kind: "mail.sent",
        client_id: invited.clientId,
        data: { client_user_id: invited.userId, kind: "invitation", recipient: "ada@acme.example" },
      },
    ]);
    expect(state.events[0]?.partner_id).not.toBeNull();
    // Neither the log nor the database holds the token or, in the log's case, the address.
    expect(lines.text).not.toContain(token);
    expect(lines.text).not.toContain("ada@");
    const { rows } = await database.pool.query(
      `select query_to_xml('select * from tenantry.' || quote_ident(tablename), true, false, '')::text as content
       from pg_tables where schemaname = 'tenantry'`,
    );
    expect(rows.some(({ content }) => content.includes(token))).toBe(false);
  });

  test("comes from the partner's display name", async () => {
    const { lines } = await service();
    const partner = { name: "Globex Integrators GmbH", style: { display_name: "Globex" } };
    const invited = await invite(database, "cy@acme.example", { partner });
    await lines.find(about(invited, "mail_sent"));
    const [message] = await received("cy@acme.example");
    expect(message?.text).toContain("Globex invites you");
    expect(message?.text).not.toContain("GmbH");
  });

  test("has one recipient when rows contain line breaks", async () => {
    const stand = await startSmtpStandIn();
    endings.push(() => stand.stop());
    const { lines } = await service({ SMTP_URL: stand.url });
    const partner = { name: "Evil\r\nBcc: spy@evil.example", style: {} };
    const invited = await invite(database, "hank@acme.example", { name: "H\r\nBcc: spy@evil.example", partner });
    await database.db
      .updateTable("tenantry.clients")
      .set({ name: "Acme\r\nBcc: spy@evil.example\u2028X" })
      .where("id", "=", invited.clientId)
      .execute();
    const again = await database.db
      .insertInto("tenantry.mails")
      .values({
        kind: "invitation",
        recipient: "hank@acme.example",
        client_id: invited.clientId,
        client_user_id: invited.userId,
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    await lines.find(about({ ...invited, mailId: again.id }, "mail_sent"));
    const [head = ""] = stand.messages.find((message) => message.includes(again.id))?.split("\r\n\r\n") ?? [];
    expect(head).not.toMatch(/^bcc:/im);
    expect(head).toMatch(/^To: <?hank@acme\.example>?$/im);
    expect(head).toContain(`Message-ID: <${again.id}.1@tenantry.example>`);
  });

  test.each([
    ["that was answered", { status: "validated" }, "answered already"],
    ["that has expired", { expiresAt: new Date(Date.now() - 1000) }, "has expired"],
  ])("%s is not sent, with the reason in the outcome", async (_, values, reason) => {
    const { lines } = await service();
    const email = `${reason.replace(/\W/g, "")}@acme.example`;
    const invited = await invite(database, email, values);
    await lines.find(about(invited, "mail_dropped"));
    expect(await received(email)).toEqual([]);
    const state = await mailState(database, invited.mailId);
    expect(state.mail.status).toBe("failed");
    expect(state.attempts).toMatchObject([{ attempt: 1, outcome: "failed", answer: expect.stringContaining(reason) }]);
    expect(state.events).toMatchObject([{ kind: "mail.failed", data: { answer: expect.stringContaining(reason) } }]);
    expect(await tokenHash(database, invited.userId)).toBeUndefined();
  });

  test("to an unknown mailbox bounces and is not retried", async () => {
    const stand = await startSmtpStandIn({ refuseRecipient: () => 550 });
    endings.push(() => stand.stop());
    const { lines } = await service({ SMTP_URL: stand.url });
    const invited = await invite(database, "nobody@acme.example");
    await lines.find(about(invited, "mail_bounced"));
    const state = await mailState(database, invited.mailId);
    expect(state.mail.status).toBe("bounced");
    expect(state.attempts).toMatchObject([{ outcome: "bounced", answer: expect.stringContaining("550 no mailbox") }]);
    expect(state.events).toMatchObject([{ kind: "mail.bounced" }]);
    expect(lines.text).not.toContain("nobody@");
  });

  test("is retried on a temporary refusal, and fails after the last attempt", async () => {
    const stand = await startSmtpStandIn({ refuseRecipient: () => 451 });
    endings.push(() => stand.stop());
    const { lines } = await service({ SMTP_URL: stand.url });
    const invited = await invite(database, "later@acme.example");
    await lines.find(({ event, task }) => event === "task_failed" && task === "mail");
    expect((await mailState(database, invited.mailId)).mail.status).toBe("queued");
    // As if ten more attempts had failed: the next is the last. The failure is logged before the job is unlocked.
    const isNextLast = async () => {
      const { rowCount } = await database.pool.query(
        "update graphile_worker._private_jobs set attempts = 11, run_at = now() where key = $1 and locked_at is null",
        [`mail:${invited.mailId}`],
      );
      return rowCount;
    };
    await expect.poll(isNextLast, { timeout: 60_000 }).toBe(1);
    await database.pool.query(`notify "jobs:insert"`);
    await lines.find(({ event, isLast }) => event === "task_failed" && isLast === true);
    const state = await mailState(database, invited.mailId);
    expect(state.mail.status).toBe("failed");
    expect(state.attempts.map(({ attempt, outcome }) => [attempt, outcome])).toEqual([
      [1, "failed"],
      [2, "failed"],
    ]);
    expect(state.events).toMatchObject([{ kind: "mail.failed" }]);
  });
});

describe("a notice of maintenance", () => {
  const notice = async (email: string, data: object) => {
    const { clientId, userId } = await invite(database, email, { status: "validated", name: "Ada" });
    const values = { kind: "maintenance", recipient: email, client_id: clientId, client_user_id: userId };
    const { id } = await insertMail(database, values, data);
    return { mailId: id, userId, clientId };
  };
  const later = (hours: number) => new Date(Date.UTC(2099, 5, 6, 20 + hours)).toISOString();

  test("states the time in the window's time zone and what happens", async () => {
    const { lines } = await service();
    const reported = await notice("window@acme.example", {
      from: later(0),
      until: later(4),
      timeZone: "Europe/Berlin",
    });
    await lines.find(about(reported, "mail_sent"));
    const [message] = await received("window@acme.example");
    expect(message?.subject).toBe("Maintenance of Acme <Corporation>");
    expect(message?.text).toMatch(
      /between Saturday,? 6 June 2099 at 22:00 \(Europe\/Berlin\) and Sunday,? 7 June 2099 at 02:00 \(Europe\/Berlin\)/,
    );
    expect(message?.text).toContain("backed up first");
    // The tenant's host: its administrators cannot open the dashboard.
    expect(message?.text).toMatch(/Open Acme <Corporation>:\r?\nhttps:\/\/[a-z0-9-]+\.agents\.example\.com\r?\n/);
    expect(message?.text).not.toContain("//dash.");
    const open = await notice("open@acme.example", { from: later(0), until: null, timeZone: null });
    await lines.find(about(open, "mail_sent"));
    expect((await received("open@acme.example"))[0]?.text).toMatch(/after Saturday,? 6 June 2099 at 20:00 \(UTC\)\./);
  });

  test.each([
    ["is over", { from: "2020-01-01T00:00:00Z", until: "2020-01-01T02:00:00Z", timeZone: null }, "is over"],
    ["has no valid time", { from: "soon" }, "no valid time"],
  ])("that %s is not sent", async (what, data, reason) => {
    const { lines } = await service();
    const reported = await notice(`${what.replaceAll(" ", "-")}@acme.example`, data);
    expect((await lines.find(about(reported, "mail_dropped"))).cause).toContain(reason);
  });
});

describe("the mails of a deletion", () => {
  const oneLine = (text = "") => text.replaceAll(/\s+/g, " ");

  test.each(deletionNotices)(
    "state that the client was %s, by whom, and what can be done",
    async (what, subject, text) => {
      const { lines } = await service();
      const recipient = `${what}@acme.example`;
      const { clientId, userId } = await invite(database, recipient, { status: "validated", name: "Ada" });
      const data = { what, by: "bob@acme.example", until: "2099-06-06T20:00:00.123456+00:00" };
      const values = { kind: "deletion_notice", recipient, client_id: clientId, client_user_id: userId };
      const { id } = await insertMail(database, values, data);
      await lines.find(about({ mailId: id, userId, clientId }, "mail_sent"));
      const messages = await received(recipient);
      expect(messages.map((message) => message.subject)).toEqual([subject]);
      const body = oneLine(messages[0]?.text);
      expect(body).toContain(`Hello Ada, ${text}`);
      const link = /Open the console of Acme <Corporation>: https:\/\/t-[a-z0-9]+\.agents\.example\.com\/\.tenantry\//;
      expect(link.test(body)).toBe(what !== "erased");
      expect(messages[0]?.html).toContain("bob@acme.example");
    },
  );

  test("end with the certificate, which states what was erased and what is kept", async () => {
    const { lines } = await service();
    const recipient = "certified@acme.example";
    const { id, texts } = await insertErasure(database, recipient);
    const mail = await insertMail(database, { kind: "erasure_certificate", recipient }, { erasure_id: id });
    await lines.find(({ event, mail: sent }) => event === "mail_sent" && sent === mail.id);
    const messages = await received(recipient);
    expect(messages.map(({ subject }) => subject)).toEqual(["Wiped was erased: certificate"]);
    const body = oneLine(messages[0]?.text);
    for (const text of texts) expect(body).toContain(text);
    expect(messages[0]?.html).toContain("Bucket of backups: tenantry-backups-wiped");
  });
});

describe("a process that is killed", () => {
  test("after it recorded the attempt leaves the mail to the next, with another token", async () => {
    const silent = await startSmtpStandIn({ onGreeting: () => new Promise(() => undefined) });
    endings.push(() => silent.stop());
    const first = serviceProcess(silent.url);
    await first.healthUrl();
    const connected = silent.connected();
    const invited = await invite(database, "grace@acme.example");
    await connected;
    const before = await tokenHash(database, invited.userId);
    expect(before).toBeDefined();
    await first.kill();
    expect((await mailState(database, invited.mailId)).attempts).toMatchObject([{ attempt: 1, outcome: null }]);

    const { lines } = await service();
    await lines.find(about(invited, "mail_sent"));
    const messages = await received("grace@acme.example");
    expect(messages).toHaveLength(1);
    const hash = hashOf(linkIn(messages[0]?.text ?? ""));
    expect(hash).not.toBe(before);
    expect(await tokenHash(database, invited.userId)).toBe(hash);
    const state = await mailState(database, invited.mailId);
    expect(state.attempts).toMatchObject([
      { attempt: 1, outcome: null, answer: expect.stringContaining("interrupted"), ended_at: expect.any(Date) },
      { attempt: 2, outcome: "sent" },
    ]);
    expect(state.events).toHaveLength(1);
  });

  test("before it recorded the outcome causes a second mail, and only the later link is valid", async () => {
    const holding = await database.pool.connect();
    const stand = await startSmtpStandIn({
      // The outcome cannot be recorded while the test holds the mail's row.
      onMessage: async () => void (await holding.query("begin; select from tenantry.mails for update")),
    });
    endings.push(() => stand.stop());
    const first = serviceProcess(stand.url);
    await first.healthUrl();
    const invited = await invite(database, "linus@acme.example");
    const isWaiting = async () => {
      const { rows } = await database.pool.query(
        "select from pg_stat_activity where usename = 'tenantry_service' and wait_event_type = 'Lock' and query like 'update%mails%'",
      );
      return rows.length > 0;
    };
    while (!(await isWaiting())) await new Promise((resolve) => setTimeout(resolve, 20));
    await first.kill();
    await holding.query("rollback");
    holding.release();
    expect(stand.messages).toHaveLength(1);
    const earlier = linkIn(stand.messages[0]?.replaceAll("=\r\n", "") ?? "");

    const { lines } = await service();
    await lines.find(about(invited, "mail_sent"));
    const [message] = await received("linus@acme.example");
    const later = linkIn(message?.text ?? "");
    expect(later).not.toBe(earlier);
    expect(await tokenHash(database, invited.userId)).toBe(hashOf(later));
    const state = await mailState(database, invited.mailId);
    expect(state.attempts.map(({ outcome }) => outcome)).toEqual([null, "sent"]);
    expect(state.events).toHaveLength(1);
  });
});

test("two replicas send each mail once, and one that stops completes its mails", async () => {
  const held: (() => void)[] = [];
  const stand = await startSmtpStandIn({ onMessage: () => new Promise((resolve) => held.push(resolve)) });
  endings.push(() => stand.stop());
  const replicas = [serviceProcess(stand.url), serviceProcess(stand.url)];
  for (const replica of replicas) await replica.healthUrl();
  const invited: Invited[] = [];
  for (let count = 0; count < 8; count++) invited.push(await invite(database, `replica-${count}@acme.example`));
  // Each of the eight workers, four per replica, has one.
  while (held.length < invited.length) await new Promise((resolve) => setTimeout(resolve, 20));
  const [first] = replicas;
  const ended = first?.kill("SIGTERM");
  await first?.lines.find(({ event }) => event === "ending");
  for (const answer of held) answer();
  expect(await ended).toBe(0);
  for (const one of invited) {
    await Promise.race(replicas.map(({ lines }) => lines.find(about(one, "mail_sent"))));
    expect((await mailState(database, one.mailId)).attempts).toMatchObject([{ attempt: 1, outcome: "sent" }]);
  }
  expect(stand.messages).toHaveLength(invited.length);
});

test("drops a mail of an unknown kind with a reason", async () => {
  const { lines } = await service();
  const { id } = await database.db
    .insertInto("tenantry.mails")
    .values({ kind: "birthday", recipient: "ada@acme.example" })
    .returning("id")
    .executeTakeFirstOrThrow();
  const { cause } = await lines.find(({ event, mail }) => event === "mail_dropped" && mail === id);
  expect(cause).toContain("birthday");
});
