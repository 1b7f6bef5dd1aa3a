/** Checks the tokens of connected channels at their vendors once a day: a revoked one is otherwise noticed when somebody misses an answer. */
import { setTimeout as delay } from "node:timers/promises";
import type { Kysely } from "kysely";
import * as z from "zod";
import { recordAccepted, recordFault } from "#database/channels/channels.ts";
import { type CheckedChannel, channelsToCheck } from "#database/channels/pushes.ts";
import type { DB } from "#database/types.ts";
import { queueEvent } from "#database/work/events.ts";
import { termsOf } from "#domain/channels/kinds.ts";
import type { Environment } from "#domain/environment.ts";
import { channelErrors } from "#domain/errors/api/channels.ts";
import { errorText } from "#domain/errors/catalogue.ts";
import type { ChannelVendors } from "../outside/channel-vendors.ts";
import { defineTask, type Task } from "../task.ts";

/** Channels in one request to the dashboard, which asks their vendors at the same time. */
const BATCH = 10;
const PAUSE_MS = 1_000;

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

/** @returns how many vendors accept and reject; a channel whose vendor does not respond keeps its state @throws Error if the dashboard or the database cannot be reached */
export async function checkChannels(
  db: Kysely<DB>,
  { environment, vendors, hour, pauseMs = PAUSE_MS, signal }: Checks,
): Promise<{ accepted: number; rejected: number; unknown: number }> {
  const round = { accepted: 0, rejected: 0, unknown: 0 };
  const due = await channelsToCheck(db, environment, hour);
  for (let index = 0; index < due.length && !signal.aborted; index += BATCH) {
    if (index > 0) await delay(pauseMs);
    const batch = due.slice(index, index + BATCH);
    const outcomes = await vendors.check(batch, signal);
    for (const channel of batch) {
      const outcome = outcomes.find(({ id }) => id === channel.id);
      const what = outcome === undefined ? "unknown" : outcome.name === null ? "rejected" : "accepted";
      round[what] += 1;
      if (outcome !== undefined) await record(db, channel, outcome.name);
    }
  }
  return round;
}

/** Stores an outcome, with an event when it changes. @param name of the bot; null for a rejected token */
async function record(db: Kysely<DB>, channel: CheckedChannel, name: string | null): Promise<void> {
  const { kind, fault, clientId, instanceId } = channel;
  await db.transaction().execute(async (tx) => {
    if (name !== null) await recordAccepted(tx, channel, name, ["token_rejected"]);
    else {
      const error = errorText(channelErrors.channel_token_rejected, { vendor: termsOf(kind).label });
      await recordFault(tx, channel, "token_rejected", error);
    }
    if ((fault === "token_rejected") === (name === null)) return;
    const data = { instance_id: instanceId, by: "service", channel_id: channel.id, kind };
    const event = name === null ? "channel.token_rejected" : "channel.token_accepted";
    await queueEvent(tx, { client_id: clientId, kind: event, data: JSON.stringify(data) });
  });
}
