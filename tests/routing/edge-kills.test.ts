/**
 * Webhooks of many conversations while the whole edge, its parts, the container and the gateway are killed. `INBOX_FAULT_MESSAGES` and
 * `INBOX_FAULT_SEED` choose another size and order. `workers/tenant/inbox/faults.test.ts` is about the inbox alone.
 */
import { setTimeout as delay } from "node:timers/promises";
import fc from "fast-check";
import { expect, onTestFinished, test, vi } from "vitest";
import * as z from "zod";
import type { Edge } from "#local/edge.ts";
import { createdDoor } from "#workers/contracts/api/tenants/doors.ts";
import { inboxPage } from "#workers/contracts/tenant/inbox.ts";
import { call, loggedIn } from "../testing/http.ts";
import { openPlatform, platformSettings, stackOf } from "../testing/platform.ts";
import { sql } from "../testing/sql.ts";
import { KillableEdge } from "./testing/killable-edge.ts";

const MESSAGES = Number(process.env.INBOX_FAULT_MESSAGES ?? 60);
const SEED = Number(process.env.INBOX_FAULT_SEED ?? 1);
const CONVERSATIONS = Math.min(20, MESSAGES / 3);
/** Messages between two faults: as many faults of each kind in the smallest size as in none. */
const BATCH = Math.min(25, MESSAGES / 5);
/** Of the vendor until it sends a message again. */
const RETRY_MS = 100;
const MAX_FAULT_DELAY_MS = 400;

const ACME = "acme.tenantry.localhost";
const HOOKS = "hooks.tenantry.localhost";
const DASH = "dash.tenantry.localhost";
const ROOT_USER = "root@tenantry.example";

const json = { "content-type": "application/json" };
const report = z.object({ processed: z.array(z.object({ path: z.string(), key: z.string(), text: z.string() })) });
const update = z.object({ update_id: z.number(), message: z.object({ chat: z.object({ id: z.number() }) }) });

async function createDoor(edge: Edge): Promise<{ path: string; secret: string }> {
  const [instance] = await sql(edge, "select id from tenantry.instances where worker_name = 'tenant-acme'");
  const { id } = z.object({ id: z.uuid() }).parse(instance);
  const created = await call(edge, DASH, `/api/instances/${id}/doors`, {
    method: "POST",
    headers: { ...json, ...(await loggedIn(edge, ROOT_USER, DASH)), origin: `http://${DASH}:${edge.port}` },
    body: JSON.stringify({ kind: "telegram", name: "bot" }),
  });
  expect(created.status, created.body).toBe(201);
  const { url, generated } = createdDoor.parse(JSON.parse(created.body));
  return { path: new URL(url).pathname, secret: generated.secretToken ?? "" };
}

/** Every kind once in each round, in another order. */
function chooseFaults(kinds: readonly string[], count: number): string[] {
  const rounds = fc.shuffledSubarray([...kinds], { minLength: kinds.length });
  return fc
    .sample(fc.noShrink(rounds), { numRuns: Math.ceil(count / kinds.length), seed: SEED })
    .flat()
    .slice(0, count);
}

test(
  "loses no acknowledged webhook, processes none twice, and keeps the order of each conversation while the edge is killed",
  async () => {
    const { edge, close } = await openPlatform();
    onTestFinished(close);
    const stack = await stackOf(edge, platformSettings([{ slug: "acme" }]));
    await stack.up();
    const { path, secret } = await createDoor(edge);
    const orders = { authorization: `Bearer ${(await stack.outputs()).invalidateToken?.value}` };
    const admin = { ...json, ...(await loggedIn(edge, ROOT_USER, ACME)), origin: `http://${ACME}:${edge.port}` };
    await edge.stop();
    const killable = new KillableEdge(edge);
    onTestFinished(() => killable.end());
    await killable.start();

    const attempt = (...given: Parameters<typeof call>) => call(...given).catch(() => undefined);
    const gateway = (method: string, body?: string) =>
      vi.waitUntil(
        async () => {
          const answer = await attempt(edge, ACME, "/api/deliveries", {
            method,
            headers: admin,
            ...(body && { body }),
          });
          return answer?.status === 200 && answer.body;
        },
        { timeout: 120_000, interval: 300 },
      );
    const inbox = () =>
      vi.waitUntil(
        async () => {
          const answer = await attempt(edge, "_dispatch.tenantry.localhost", "/_inbox/acme", { headers: orders });
          return answer?.status === 200 && inboxPage.parse(JSON.parse(answer.body)).status;
        },
        { timeout: 120_000, interval: 300 },
      );
    const drained = () => vi.waitUntil(async () => (await inbox()).pending === 0, { timeout: 300_000, interval: 300 });
    const backUp = () => attempt(edge, ACME, "/api/admin/gateway/backup", { method: "POST", headers: admin });
    /** Sends a message as the vendor does: again until it is acknowledged. */
    const send = async (id: number, conversation: number) => {
      const body = JSON.stringify({
        update_id: id,
        message: { message_id: id, chat: { id: conversation, type: "private" } },
      });
      const headers = { ...json, "x-telegram-bot-api-secret-token": secret };
      while ((await attempt(edge, HOOKS, path, { method: "POST", headers, body }))?.status !== 200)
        await delay(RETRY_MS);
    };

    const faults: Readonly<Record<string, (choice: number) => unknown>> = {
      edge: () => killable.kill(),
      workerd: (choice: number) => killable.killWorkerd(choice),
      gateway: () => killable.killGateways(),
      container: () => killable.loseContainers(),
      backup: backUp,
    };
    await gateway("POST", JSON.stringify({ holdMs: 50 }));
    expect((await backUp())?.status).toBe(201);

    const sample = (most: number, count: number) =>
      fc.sample(fc.noShrink(fc.nat(most)), { numRuns: count, seed: SEED });
    const conversations = sample(CONVERSATIONS - 1, MESSAGES);
    const kinds = chooseFaults(Object.keys(faults), Math.ceil(MESSAGES / BATCH));
    const delays = sample(MAX_FAULT_DELAY_MS, kinds.length);
    const sent = new Map<number, number[]>();
    for (const [round, kind] of kinds.entries()) {
      const batch = new Map<number, number[]>();
      for (let id = round * BATCH; id < Math.min((round + 1) * BATCH, MESSAGES); id += 1) {
        const conversation = conversations[id] ?? 0;
        for (const ids of [sent, batch]) ids.set(conversation, [...(ids.get(conversation) ?? []), id]);
      }
      // Deliveries are in progress, and some were accepted since the last fault.
      await vi.waitUntil(async () => (await inbox()).pending < BATCH / 2, { timeout: 300_000, interval: 300 });
      await Promise.all([
        delay(delays[round]).then(() => faults[kind]?.(round)),
        ...[...batch].map(async ([conversation, ids]) => {
          for (const id of ids) await send(id, conversation);
        }),
      ]);
    }
    await drained();
    // The container may have been lost last, so that messages are delivered again.
    await gateway("GET");
    await drained();
    const processed = report
      .parse(JSON.parse(await gateway("GET")))
      .processed.map(({ text }) => update.parse(JSON.parse(text)));
    expect((await inbox()).dead).toBe(0);
    for (const [conversation, ids] of sent)
      expect(
        processed.flatMap(({ update_id, message }) => (message.chat.id === conversation ? update_id : [])),
      ).toEqual(ids);
    expect(processed).toHaveLength(MESSAGES);
  },
  Math.max(600_000, MESSAGES * 2_000),
);
