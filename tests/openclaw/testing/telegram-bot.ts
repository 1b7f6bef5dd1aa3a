/** A tenant whose agent is a Telegram bot in webhook mode, with Telegram's stand-in. */
import { readFileSync } from "node:fs";
import { get } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { expect } from "vitest";
import { createdDoor } from "#workers/contracts/api/tenants/doors.ts";
import { call } from "../../testing/http.ts";
import { callDashboard, connect, instanceId } from "./dashboard.ts";
import { ADA, type LiveTenant } from "./live-tenant.ts";
import { PATIENCE_MS } from "./page.ts";
import { TelegramApi, type TelegramUpdate, type WebhookCall } from "./telegram-api.ts";

export const CUSTOMER = { id: 4242, first_name: "Ada" };
export const OTHER_CUSTOMER = { id: 4343, first_name: "Ben" };
export const BOT_TOKEN = "7000000001:AAtest_token-abc";
const HOOKS = "hooks.tenantry.localhost";
/** Milliseconds between polls, short enough for measurements. */
const POLL_MS = 20;
/** Milliseconds between messages, longer than a turn. */
const WRITE_MS = 8_000;
/** Clock ticks per second in `/proc`. */
const TICKS = 100;

/** Everyone may write; each chat is a session of its own; each message gets a turn of its own. */
const SETTINGS = {
  channels: { telegram: { dmPolicy: "open", allowFrom: ["*"] } },
  session: { dmScope: "per-channel-peer" },
  messages: { inbound: { debounceMs: 0 }, queue: { mode: "followup" } },
};

export class TelegramBot {
  readonly tenant: LiveTenant;
  readonly api: TelegramApi;
  /** Of Telegram's door. */
  readonly door: { url: string; secretToken: string };
  /** IDs of each chat's messages, in their order. */
  readonly #written: Record<number, string[]> = {};

  private constructor(tenant: LiveTenant, api: TelegramApi, door: TelegramBot["door"]) {
    this.tenant = tenant;
    this.api = api;
    this.door = door;
  }

  /** Creates a door and connects the bot. */
  static async open(tenant: LiveTenant): Promise<TelegramBot> {
    const deliver = async ({ url, ...request }: WebhookCall) => {
      const { status, headers } = await call(tenant.edge, HOOKS, new URL(url).pathname, { method: "POST", ...request });
      return { status, retryAfter: Number(headers["retry-after"] ?? 0) };
    };
    const api = await TelegramApi.open(BOT_TOKEN, deliver, tenant.laterVendor.port);
    api.host = tenant.laterVendor.host;
    const bot = new TelegramBot(tenant, api, await createDoor(tenant));
    const { page, context } = await tenant.enter(ADA);
    await tenant.configure(page, SETTINGS);
    await context.close();
    const { url, secretToken } = bot.door;
    await connect(tenant, [{ kind: "telegram", url, secrets: { botToken: BOT_TOKEN, secretToken }, apiRoot: api.url }]);
    await expect.poll(() => api.webhook, { timeout: PATIENCE_MS, interval: 200 }).toBeDefined();
    return bot;
  }

  /** Writes a message to the bot, which is pending until it is accepted. */
  write(text: string, from = CUSTOMER): TelegramUpdate {
    const update = this.api.write(from, text);
    this.#written[from.id] = [...(this.#written[from.id] ?? []), String(update.message.message_id)];
    return update;
  }

  /** Waits for a gateway that is ready. @param former process ID of the gateway before it @returns milliseconds since the epoch */
  async started(former: number | undefined): Promise<{ begun: number; ready: number }> {
    for (;;) {
      const gateway = this.tenant.gateways().find(({ pid }) => pid !== former);
      if (gateway !== undefined && (await isStarted(await this.tenant.ownUrl(gateway))))
        return { begun: beginOf(gateway.pid), ready: Date.now() };
      await delay(POLL_MS);
    }
  }

  /** Writes and delivers messages until some work ends. */
  async writeDuring(work: Promise<unknown>, text: string): Promise<void> {
    let isOver = false;
    const ended = work.finally(() => {
      isOver = true;
    });
    while (!isOver) {
      this.write(text);
      await Promise.all([this.api.deliverAll(), Promise.race([ended, delay(WRITE_MS)])]);
    }
    await ended;
  }

  /** Waits until every message that was ever written has one answer, in the order of its chat. */
  async answered(): Promise<void> {
    await expect.poll(() => this.#answers(), { timeout: 4 * PATIENCE_MS, interval: POLL_MS }).toEqual(this.#written);
  }

  /** Returns what the bot's messages answer, by chat. The model's mock repeats the start of its input, with the message's ID. */
  #answers(): Record<number, string[]> {
    const answers: Record<number, string[]> = {};
    for (const { chat, text } of this.api.sent)
      answers[chat.id] = [...(answers[chat.id] ?? []), /message_id\W+(\d+)/.exec(text)?.[1] ?? text];
    return answers;
  }
}

/** Creates a door for Telegram. */
async function createDoor(tenant: LiveTenant): Promise<TelegramBot["door"]> {
  const body = { kind: "telegram", name: "telegram" };
  const answer = await callDashboard(tenant, "POST", `/api/instances/${await instanceId(tenant)}/doors`, body);
  expect(answer).toMatchObject({ status: 201 });
  const { url, generated } = createdDoor.parse(JSON.parse(answer.body));
  // Telegram requires HTTPS, which the edge does not have.
  return { url: `https://${HOOKS}${new URL(url).pathname}`, secretToken: generated.secretToken ?? "" };
}

/** Returns when a process began. */
function beginOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  const ticks = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19]);
  const uptime = Number(readFileSync("/proc/uptime", "latin1").split(" ")[0]);
  return Date.now() - (uptime - ticks / TICKS) * 1000;
}

function isStarted(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    get(`${url}/startupz`, { timeout: 2_000 }, (response) => {
      response.resume();
      resolve(response.statusCode !== 503);
    }).once("error", () => resolve(false));
  });
}
