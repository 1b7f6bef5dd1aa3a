/**
 * Checks tokens and webhooks of connected channels at their vendors once a day: a revoked or deleted one is otherwise noticed when somebody misses an
 * answer.
 */
import { setTimeout as delay } from "node:timers/promises";
import type { Kysely } from "kysely";
import * as z from "zod";
import { recordAccepted, recordFault } from "#database/channels/channels.ts";
import { type CheckedChannel, channelsToCheck, requestMissedPushes } from "#database/channels/pushes.ts";
import type { DB } from "#database/types.ts";
import { queueEvent } from "#database/work/events.ts";
import { type ChannelFault, webhookValues } from "#domain/channels/channel.ts";
import { termsOf } from "#domain/channels/kinds.ts";
import type { Environment } from "#domain/environment.ts";
import { channelErrors } from "#domain/errors/api/channels.ts";
import { errorText } from "#domain/errors/catalogue.ts";
import type { CheckedChannels } from "#workers/contracts/channel-vendors.ts";
import type { ChannelVendors } from "../outside/channel-vendors.ts";
import { defineTask, type Task } from "../task.ts";

/** Channels in one request to the dashboard, which asks their vendors at the same time. */
const BATCH = 10;
const PAUSE_MS = 1_000;
/** How long a gateway may take to register its webhook after the tenant received the channel. */
const REGISTRATION_MS = 3600 * 1000;

interface Checks {
  environment: Environment;
  vendors: Pick<ChannelVendors, "check">;
  /** Of the day, in UTC. Each channel has an hour of its own. */
  hour: number;
  pauseMs?: number;
  signal: AbortSignal;
}

export function checkChannelsTask(environment: Environment, vendors: ChannelVendors | undefined): Task {
  return defineTask("check_channels", z.unknown(), async (_payload, { db, log, signal }) => {
    if (vendors === undefined) return;
    const hour = new Date().getUTCHours();
    log("info", "channels_checked", await checkChannels(db, { environment, vendors, hour, signal }));
  });
}

/**
 * Also sends tenants again what they did not receive.
 *
 * @returns how many vendors accept and reject, and how many pushes were missed; a channel whose vendor does not respond keeps its state
 * @throws Error if the dashboard or the database cannot be reached
 */
export async function checkChannels(
  db: Kysely<DB>,
  { environment, vendors, hour, pauseMs = PAUSE_MS, signal }: Checks,
): Promise<{ accepted: number; rejected: number; unknown: number; missed: number }> {
  const missed = await requestMissedPushes(db, environment, hour);
  const round = { accepted: 0, rejected: 0, unknown: 0, missed };
  const due = await channelsToCheck(db, environment, hour);
  for (let index = 0; index < due.length && !signal.aborted; index += BATCH) {
    if (index > 0) await delay(pauseMs);
    const batch = due.slice(index, index + BATCH);
    const outcomes = await vendors.check(batch, signal);
    for (const channel of batch) {
      const outcome = outcomes.find(({ id }) => id === channel.id);
      const what = outcome === undefined ? "unknown" : outcome.name === null ? "rejected" : "accepted";
      round[what] += 1;
      if (outcome !== undefined) await record(db, channel, outcome);
    }
  }
  return round;
}

type Outcome = CheckedChannels["checked"][number];

/** Stores an outcome, with an event when it changes. */
async function record(db: Kysely<DB>, channel: CheckedChannel, { name, registration }: Outcome): Promise<void> {
  const { kind, fault, clientId, instanceId, account_name: bot } = channel;
  const { label: vendor } = termsOf(kind);
  await db.transaction().execute(async (tx) => {
    let event: string | undefined;
    if (name === null) {
      await recordFault(tx, channel, "token_rejected", errorText(channelErrors.channel_token_rejected, { vendor }));
      if (fault !== "token_rejected") event = "channel.token_rejected";
    } else {
      const ended: ChannelFault[] =
        registration === "registered" ? ["token_rejected", "webhook_lost"] : ["token_rejected"];
      await recordAccepted(tx, channel, name, ended);
      if (fault === "token_rejected") event = "channel.token_accepted";
      if (fault === "webhook_lost" && registration === "registered") event = "channel.webhook_registered";
      const lost = isExpected(channel) ? LOST[registration ?? "unknown"] : undefined;
      // A failed push is why its webhook is missing.
      if (lost !== undefined && fault !== "push_failed") {
        await recordFault(tx, channel, "webhook_lost", errorText(lost, webhookValues(kind, bot)));
        if (fault !== "webhook_lost") event = "channel.webhook_lost";
      }
    }
    if (event === undefined) return;
    const data = { instance_id: instanceId, by: "service", channel_id: channel.id, kind };
    await queueEvent(tx, { client_id: clientId, kind: event, data: JSON.stringify(data) });
  });
}

const LOST = {
  registered: undefined,
  unknown: undefined,
  none: channelErrors.channel_webhook_missing,
  elsewhere: channelErrors.channel_webhook_elsewhere,
} as const;

/** Whether the vendor is to send webhooks by now: the gateway had time to register them, or the owner has done so before. */
function isExpected({ kind, pushedAt, lastReceivedAt }: CheckedChannel): boolean {
  if (termsOf(kind).registersItself !== true) return lastReceivedAt !== null;
  return pushedAt !== null && Date.now() - pushedAt.getTime() > REGISTRATION_MS;
}
