/** The inbox of a tenant with the reference gateway. */
import { createHash } from "node:crypto";
import { expect } from "vitest";
import type { InboxDelivery } from "#workers/contracts/tenant/inbox.ts";
import { INBOX_PATH, OUTCOME_HEADER } from "#workers/contracts/tenant/inbox.ts";
import { CUT_PATH } from "#workers/contracts/tenant/internal.ts";
import { ADMIN, adminLog, backUp, crash, empty, running, statusOf, tick } from "../testing/backup-tenant.ts";
import { eventually, referenceGateway, type Tenant } from "../testing/harness.ts";
import { asleep, gatewayOf, isAsleep } from "../testing/sleeping-tenant.ts";
import { test } from "../testing/test.ts";
import {
  drained,
  drop,
  exportInbox,
  gatewayReport,
  inbox,
  processed,
  queue,
  replay,
  send,
  setRule,
} from "./testing/inbox-tenant.ts";

const cut = async (tenant: Tenant, routable: boolean) => {
  const response = await tenant.fetch(CUT_PATH, { method: "POST", body: JSON.stringify({ routable }) });
  expect(response.status).toBe(204);
};
/** The sum of a metric's values with a status. */
const measured = (tenant: Tenant, metric: string, status: string) =>
  tenant
    .points()
    .filter(({ blobs }) => blobs[0] === metric && blobs[1] === status)
    .reduce((sum, { doubles }) => sum + (doubles[0] ?? 0), 0);

test.concurrent("delivers each kind as its channel requires, and lets administrators handle what the gateway refuses", async ({
  openTenant,
}) => {
  const gateway = ["env", "REFERENCE_GATEWAY_MAX_DELIVERY_BYTES=4000000", ...referenceGateway];
  const tenant = await openTenant(gateway, { bindings: { TENANT_ORIGIN: "https://acme.example.com" } });
  const vendor: InboxDelivery["headers"] = [["authorization", "Bearer of.the.vendor"]];
  const kinds: [string, Partial<InboxDelivery>, string][] = [
    ["telegram", {}, "/telegram-webhook"],
    ["slack", {}, "/slack/events"],
    ["line", {}, "/line/webhook"],
    ["googlechat", { headers: vendor }, "/googlechat"],
    ["msteams", { headers: vendor }, "/api/messages"],
    ["openclaw", { subpath: "wake" }, "/hooks/wake"],
    ["github", { query: "a=1", headers: vendor }, "/hooks/builds"],
    // A false encoding shows that nothing on the way encodes or decodes a body.
    ["encoded", { headers: [["content-encoding", "gzip"]] }, "/hooks/builds"],
    ["of-a-later-platform", { name: "other" }, "/hooks/other"],
  ];
  for (const [kind, changed] of kinds) await queue(tenant, kind, { kind, ...changed });
  await drained(tenant);
  const report = await gatewayReport(tenant);
  expect(report.processed).toEqual(
    expect.arrayContaining(kinds.map(([key, , path]) => ({ path, key, text: JSON.stringify({ id: key }) }))),
  );
  expect(report.attempts.map(({ attempts }) => attempts)).toEqual(kinds.map(() => 1));
  const listed = await inbox(tenant, "?state=accepted&limit=3");
  const rest = await inbox(tenant, `?state=accepted&limit=200&after=${listed.next}`);
  expect([...listed.messages, ...rest.messages].map(({ kind }) => kind)).toEqual(kinds.map(([kind]) => kind));
  expect(rest.next).toBeUndefined();
  // The ID that the gateway received is that of the list.
  expect(report.attempts.map(({ message }) => message).sort()).toEqual(
    [...listed.messages, ...rest.messages].map(({ id }) => id).sort(),
  );
  expect(await (await send(tenant, "slack", { kind: "slack" })).json()).toEqual({ outcome: "duplicate" });

  // A body that SQLite cannot hold is in the bucket, under a prefix that listings of backups do not have.
  const large = JSON.stringify({ id: "large", text: "x".repeat(2_000_000) });
  await queue(tenant, "large", {}, large);
  await drained(tenant);
  const [stored] = (await gatewayReport(tenant)).processed.filter(({ key }) => key === "large");
  expect(
    createHash("sha256")
      .update(stored?.text ?? "")
      .digest("hex"),
  ).toBe(createHash("sha256").update(large).digest("hex"));
  expect(await tenant.bucket.keys("inbox/")).toHaveLength(1);

  // Only the header accepts where the channel sends it.
  await setRule(tenant, { status: 204 });
  await queue(tenant, "plain", { kind: "slack" });
  await queue(tenant, "undurable", { kind: "telegram" });
  const [waiting] = await eventually(async () => {
    const { messages } = await inbox(tenant);
    return messages.length === 1 && messages[0]?.failure !== undefined && messages;
  });
  expect(waiting).toMatchObject({ eventId: "undurable", failure: { reason: "not-durable", status: 204 } });
  await setRule(tenant, {});
  await drained(tenant);
  expect((await processed(tenant)).slice(-1)).toEqual(["undurable"]);

  // Refused for good: the next message of the conversation is not blocked.
  await setRule(tenant, { status: 422 });
  await queue(tenant, "refused", { conversation: "a" });
  await drained(tenant);
  await setRule(tenant, {});
  await queue(tenant, "next", { conversation: "a" });
  await queue(tenant, "too-large", {}, JSON.stringify("x".repeat(5_000_000)));
  await drained(tenant);
  const dead = await inbox(tenant);
  expect(dead.messages.map(({ eventId, state, failure }) => [eventId, state, failure])).toEqual([
    ["refused", "dead", { reason: "status", status: 422 }],
    ["too-large", "dead", { reason: "status", status: 413 }],
  ]);
  expect(dead.status).toEqual({ pending: 0, dead: 2, limit: 1_000 });
  expect((await statusOf(tenant)).inbox).toEqual(dead.status);
  const exported = await exportInbox(tenant);
  expect(exported.map(({ eventId, body = "" }) => [eventId, Buffer.from(body, "base64").length])).toEqual([
    ["refused", 16],
    ["too-large", 5_000_002],
  ]);
  expect(exported[0]).toMatchObject({
    ...dead.messages[0],
    method: "POST",
    headers: [["content-type", "application/json"]],
  });
  const [refused = "", tooLarge = ""] = dead.messages.map(({ id }) => id);
  expect(await replay(tenant, { ids: [refused, crypto.randomUUID()] })).toBe(1);
  expect(await drop(tenant, { ids: [tooLarge] })).toBe(1);
  await drained(tenant);
  expect((await processed(tenant)).slice(-2)).toEqual(["next", "refused"]);
  expect((await inbox(tenant)).messages).toEqual([]);
  expect([await replay(tenant, { all: true }), await drop(tenant, { all: true })]).toEqual([0, 0]);
  const repeated = await send(tenant, "too-large");
  expect(repeated.headers.get(OUTCOME_HEADER)).toBe("duplicate");
  // A dispatch Worker of an earlier version reads the body.
  expect(await repeated.json()).toEqual({ outcome: "duplicate" });
  expect(await adminLog(tenant)).toContain("inbox.dead");
  await tick(tenant);
  // The metrics of one tick arrive one by one.
  for (const [status, count] of Object.entries({ accepted: kinds.length + 5, dead: 2, duplicate: 2 }))
    await eventually(() => measured(tenant, "inbox_messages", status) === count);
});

test.concurrent("refuses malformed messages and orders", async ({ openTenant }) => {
  const tenant = await openTenant();
  const post = (path: string, body: string, headers: Record<string, string> = {}) =>
    tenant.fetch(path, { method: "POST", body, headers }).then(({ status }) => status);
  expect(await post(INBOX_PATH, "{}")).toBe(400);
  expect(await post(INBOX_PATH, "{}", { "X-Platform-Delivery": btoa('{"door":"1"}') })).toBe(400);
  expect((await send(tenant, "up", { subpath: "../admin" })).status).toBe(400);
  // No request could deliver it.
  expect((await send(tenant, "two-lines", { headers: [["content-type", "a\r\nb: c"]] })).status).toBe(400);
  for (const body of ["", "{}", '{"ids":[]}', '{"all":false}', '{"ids":["1"]}'])
    expect(await post(`${INBOX_PATH}/replay`, body)).toBe(400);
  for (const query of ["?state=lost", "?limit=0", "?after=x"])
    expect((await tenant.fetch(`${INBOX_PATH}${query}`)).status).toBe(400);
  expect((await inbox(tenant)).messages).toEqual([]);
  expect(tenant.processes()).toEqual([]);
});

test.concurrent("keeps the messages of a frozen tenant up to its limit, also after the object's end, and delivers them when it resumes", async ({
  openTenant,
}) => {
  const tenant = await openTenant(referenceGateway, { bindings: { INBOX_MESSAGES: "3" } });
  await cut(tenant, false);
  await queue(tenant, "lost", { conversation: "a" }, JSON.stringify("x".repeat(2_000_000)));
  for (const id of ["1", "2"]) await queue(tenant, id, { conversation: "a" });
  await tenant.bucket.delete(...(await tenant.bucket.keys("inbox/")));
  const full = await send(tenant, "4", { conversation: "a" });
  expect([full.status, full.headers.get("retry-after")]).toEqual([503, "60"]);
  expect(await full.json()).toMatchObject({ error: { reason: "inbox_full" } });
  expect((await tenant.health("?passive=1")).inboxFull).toBe(true);
  await tenant.restartWorker();
  await tick(tenant);
  await eventually(() => measured(tenant, "inbox_messages", "full") === 1);
  expect(await (await send(tenant, "1", { conversation: "a" })).json()).toEqual({ outcome: "duplicate" });
  expect((await inbox(tenant)).status).toMatchObject({ pending: 3, limit: 3 });
  await eventually(() => measured(tenant, "inbox_depth", "pending") === 3);
  // As in the grace period of a deleted client: an export starts nothing.
  expect((await exportInbox(tenant)).map(({ eventId }) => eventId)).toEqual(["lost", "1", "2"]);
  expect(tenant.processes()).toEqual([]);
  // The order of the resume is lost.
  await tick(tenant, new Date(Date.now() + 120_000));
  await drained(tenant);
  expect(await processed(tenant)).toEqual(["1", "2"]);
  expect((await tenant.health("?passive=1")).inboxFull).toBeUndefined();
  expect((await inbox(tenant)).messages).toMatchObject([
    { eventId: "lost", state: "dead", failure: { reason: "body-lost" } },
  ]);
});

test.concurrent("wakes a sleeping tenant, which stays awake until its messages are delivered, and after the object's end without a call", async ({
  openTenant,
}) => {
  const tenant = await openTenant(referenceGateway, { bindings: { SLEEP_AFTER_SECONDS: "2" } });
  await running(tenant);
  await asleep(tenant);
  await queue(tenant, "1", { conversation: "a" });
  await tenant.restartWorker();
  // Only the alarm continues the delivery.
  await eventually(() => tenant.processes("gateway").length === 1);
  await drained(tenant);
  expect(await processed(tenant)).toEqual(["1"]);
  await setRule(tenant, { status: 500 });
  const gateway = gatewayOf(tenant);
  await queue(tenant, "2", { conversation: "a" });
  await eventually(async () => (await adminLog(tenant)).includes('sleep.postponed\\",\\"reason\\":\\"messages'));
  expect((await tenant.fetch("/api/admin/gateway/sleep", { method: "POST", headers: ADMIN })).status).toBe(409);
  expect(gatewayOf(tenant)).toBe(gateway);
  await setRule(tenant, {});
  await drained(tenant);
  await eventually(() => isAsleep(tenant));
  expect(await processed(tenant)).toEqual(["1", "2"]);
});

test.concurrent("processes a message once when the gateway dies during its delivery, and again when the container's disk is lost; a tick starts the gateway", async ({
  openTenant,
}) => {
  const tenant = await openTenant();
  await running(tenant);
  await setRule(tenant, { holdMs: 15_000 });
  await queue(tenant, "held", { conversation: "a" });
  await queue(tenant, "behind", { conversation: "a" });
  await eventually(async () => (await gatewayReport(tenant)).attempts.length === 1);
  await crash(tenant);
  await running(tenant);
  await eventually(async () => (await gatewayReport(tenant)).attempts[0]?.attempts === 2);
  expect(await adminLog(tenant)).toContain("inbox.delivered-alone");
  await tenant.restartWorker();
  await setRule(tenant, {});
  await drained(tenant);
  const { processed: once, attempts } = await gatewayReport(tenant);
  expect(once.map(({ key }) => key)).toEqual(["held", "behind"]);
  // One before the death, one cut off by the object's end, and the last.
  expect(attempts[0]?.attempts).toBeGreaterThanOrEqual(3);
  await backUp(tenant);
  await queue(tenant, "unsaved", { conversation: "a" });
  await drained(tenant);
  // Nobody calls the tenant, and no message waits: the gateway may owe answers to what it accepted.
  await crash(tenant);
  await tick(tenant);
  await eventually(async () => (await tenant.health("?passive=1")).status === "running");
  await empty(tenant);
  await eventually(async () => {
    await tick(tenant);
    return measured(tenant, "inbox_messages", "redelivered") === 1;
  });
  await drained(tenant);
  expect(await processed(tenant)).toEqual(["held", "behind", "unsaved"]);
  expect(await adminLog(tenant)).toContain("inbox.state-lost");
});
