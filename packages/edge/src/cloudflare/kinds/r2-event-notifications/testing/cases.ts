import type Cloudflare from "cloudflare";
import { type ApiServer, account_id } from "#cloudflare/api/testing/api-server.ts";
import { type Case, given } from "#cloudflare/api/testing/case.ts";
import { eventNotificationsApi } from "../api.ts";

const of = { account_id, bucket_name: "backup" };

async function withBucket({ cloudflare }: ApiServer): Promise<void> {
  await cloudflare.r2.buckets.create({ account_id, name: "backup" });
}

/** Creates a notification about writes below a prefix, with its own queue. */
async function notify(cloudflare: Cloudflare, n: number): Promise<string> {
  const id = given((await cloudflare.queues.create({ account_id, queue_name: `queue-${n}` })).queue_id);
  await cloudflare.r2.buckets.eventNotifications.update(id, {
    ...of,
    rules: [{ actions: ["PutObject"], prefix: `${n}/`, description: "writes" }],
  });
  return id;
}

export const cases: Case[] = [
  {
    part: eventNotificationsApi,
    prepare: withBucket,
    create: notify,
    read: (cloudflare, id) => cloudflare.r2.buckets.eventNotifications.get(id, of),
    expected: (n) => ({ queueName: `queue-${n}`, rules: [{ actions: ["PutObject"], prefix: `${n}/` }] }),
    list: async (cloudflare) => {
      const { queues = [] } = await cloudflare.r2.buckets.eventNotifications.list("backup", { account_id });
      return { ids: queues.map(({ queueId }) => queueId), pages: 1 };
    },
    pages: 1,
    update: (cloudflare, id) =>
      cloudflare.r2.buckets.eventNotifications.update(id, { ...of, rules: [{ actions: ["DeleteObject"] }] }),
    updated: { rules: [{ actions: ["PutObject"] }, { actions: ["DeleteObject"] }] },
    remove: (cloudflare, id) => cloudflare.r2.buckets.eventNotifications.delete(id, of),
    missing: { id: "0".repeat(32), status: 404, code: 11015 },
  },
];
