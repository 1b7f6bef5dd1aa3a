import { afterEach, beforeEach, expect, test } from "vitest";
import { type ApiServer, account_id, startApiServer } from "../../api/testing/api-server.ts";
import { given } from "../../api/testing/case.ts";
import { refusal } from "../../api/testing/refusal.ts";

let server: ApiServer;
let queue: string;
const of = { account_id, bucket_name: "backup" };

beforeEach(async () => {
  server = await startApiServer();
  await server.cloudflare.r2.buckets.create({ account_id, name: "backup" });
  queue = given((await server.cloudflare.queues.create({ account_id, queue_name: "changes" })).queue_id);
});
afterEach(() => server.close());

const notifications = () => server.cloudflare.r2.buckets.eventNotifications;
const rule = (prefix: string, suffix = "", actions: ("PutObject" | "DeleteObject")[] = ["PutObject"]) => ({
  actions,
  prefix,
  suffix,
});

test("a rule that overlaps with another is refused, also for another queue", async () => {
  await notifications().update(queue, { ...of, rules: [rule("images/", ".png")] });
  const other = given((await server.cloudflare.queues.create({ account_id, queue_name: "other" })).queue_id);
  for (const overlapping of [rule(""), rule("images/cats/"), rule("images/", ".png"), rule("", "1.png")]) {
    const update = notifications().update(other, { ...of, rules: [overlapping] });
    expect(await refusal(update)).toMatchObject({ status: 409, codes: [11020] });
  }
  const rules = [rule("texts/"), rule("images/", ".jpg"), rule("images/", ".png", ["DeleteObject"])];
  await notifications().update(other, { ...of, rules });
  expect((await notifications().get(other, of)).rules).toMatchObject(rules);
});

test("a rule is deleted by its id, and the configuration with the last rule", async () => {
  await notifications().update(queue, { ...of, rules: [rule("a/"), rule("b/")] });
  const path = `/accounts/${account_id}/event_notifications/r2/backup/configuration/queues/${queue}`;
  const [first, second] = (await notifications().get(queue, of)).rules ?? [];
  await server.cloudflare.delete(path, { body: { ruleIds: [first?.ruleId] } });
  expect((await notifications().get(queue, of)).rules).toEqual([second]);
  await server.cloudflare.delete(path, { body: { ruleIds: [second?.ruleId] } });
  expect(await refusal(notifications().get(queue, of))).toMatchObject({ status: 404 });
});

test.each(["bucket", "queue"])("rules are deleted with their %s", async (which) => {
  await notifications().update(queue, { ...of, rules: [rule("a/")] });
  if (which === "bucket") {
    await server.cloudflare.r2.buckets.delete("backup", { account_id });
    await server.cloudflare.r2.buckets.create({ account_id, name: "backup" });
  } else await server.cloudflare.queues.delete(queue, { account_id });
  expect((await notifications().list("backup", { account_id })).queues).toEqual([]);
});
