/** What vendors are asked when the platform ends channels: for a caller, and for the automation service. */
import { LIVE_PUSH_PATH } from "#domain/access/access-addresses.ts";
import { serviceErrors } from "#domain/errors/api/service.ts";
import type { ChannelWebhook } from "#workers/contracts/api/tenants/channels.ts";
import { CHECK_CHANNELS_PATH, type CheckedChannels, STOP_CHANNELS_PATH } from "#workers/contracts/channel-vendors.ts";
import { errorResponse } from "#workers/contracts/errors.ts";
import { type Channel, sealedChannelsOrder } from "#workers/contracts/tenant/channels.ts";
import { hasBearerToken } from "#workers/shared/bearer-token.ts";
import { openChannel } from "#workers/shared/doors/channel-credentials.ts";
import { log } from "#workers/shared/log.ts";
import { doorKeysOf, type Settings } from "../../env.ts";
import { parseJson, readBody } from "../../http/body.ts";
import { Failure } from "../../http/failure.tsx";
import type { App } from "../../variables.ts";
import { accountOf } from "./connection.ts";
import { apiOf } from "./vendor-call.ts";
import { VENDORS } from "./vendors.ts";

const MAX_ORDER_BYTES = 2 * 1024 * 1024;

/** Makes the vendor send no more webhooks, if it can. @returns whether it sends none. No fault of the vendor or of the token prevents a deletion. */
export async function stopVendor(settings: Settings, id: string, opened: Channel): Promise<boolean> {
  const { stop } = VENDORS[opened.kind];
  if (stop === undefined || opened.url === undefined) return false;
  try {
    return (await stop(apiOf(opened.kind, settings.CHANNEL_APIS), opened, opened.url)) !== "rejected";
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    log("warn", "channel.vendor-not-stopped", { channel: id, reason: error.reason });
    return false;
  }
}

/** Returns where the vendor sends a channel's webhooks; undefined for a socket channel, and if the vendor does not say. */
async function findWebhook(settings: Settings, id: string, opened: Channel): Promise<ChannelWebhook | undefined> {
  const { webhook: ask } = VENDORS[opened.kind];
  if (ask === undefined || opened.url === undefined) return undefined;
  try {
    const answer = await ask(apiOf(opened.kind, settings.CHANNEL_APIS), opened, opened.url);
    return answer === "rejected" ? undefined : answer;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    log("warn", "channel.webhook-unknown", { channel: id, reason: error.reason });
    return undefined;
  }
}

/** Orders of the automation service, with its token, before any query. */
export function serveVendorOrders(app: App, settings: Settings): void {
  app.use(`${LIVE_PUSH_PATH}/channels/*`, async (c, next) => {
    if (await hasBearerToken(c.req.raw.headers, settings.LIVE_TOKEN, settings.OTHER_LIVE_TOKEN)) return next();
    return errorResponse(serviceErrors.events_token_missing);
  });
  const serve = <T>(path: string, name: string, ask: (id: string, opened: Channel) => Promise<readonly T[]>) =>
    app.post(path, async (c) => {
      const order = sealedChannelsOrder.safeParse(parseJson(await readBody(c.req.raw, MAX_ORDER_BYTES)));
      if (!order.success) return errorResponse(serviceErrors.channels_order_invalid);
      const outcomes = await Promise.all(
        order.data.sealed.map(async ({ id, credentials }) => {
          const opened = await tryOpen(settings, id, credentials);
          return opened === undefined ? [] : ask(id, opened);
        }),
      );
      return Response.json({ [name]: outcomes.flat() });
    });
  serve(STOP_CHANNELS_PATH, "stopped", async (id, opened) => ((await stopVendor(settings, id, opened)) ? [id] : []));
  serve<CheckedChannels["checked"][number]>(CHECK_CHANNELS_PATH, "checked", async (id, opened) => {
    try {
      const answer = await accountOf(settings, opened);
      if (answer === "rejected") return [{ id, name: null }];
      const webhook = await findWebhook(settings, id, opened);
      return [{ id, name: answer.name, ...(webhook && { registration: webhook.registration }) }];
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      log("warn", "channel.vendor-not-asked", { channel: id, reason: error.reason });
      return [];
    }
  });
}

async function tryOpen(settings: Settings, id: string, credentials: string): Promise<Channel | undefined> {
  try {
    return await openChannel(doorKeysOf(settings), id, Buffer.from(credentials, "base64"));
  } catch {
    log("warn", "channel.credentials-unreadable", { channel: id });
    return undefined;
  }
}
