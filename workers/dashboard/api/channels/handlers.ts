import type { Kysely } from "kysely";
import {
  type ListedChannel,
  listChannels,
  recordAccepted,
  recordConnected,
  recordFault,
  replaceCredentials,
} from "#database/channels/channels.ts";
import type { DB } from "#database/types.ts";
import { CHANNEL_KINDS, ofBot, tokenFaults } from "#domain/channels/channel.ts";
import { DEFAULT_OVERLAP_SECONDS } from "#domain/doors/door.ts";
import { channel } from "#domain/entities/channel.ts";
import { bodyOf } from "#domain/entities/entity.ts";
import type { Environment } from "#domain/environment.ts";
import { channelErrors } from "#domain/errors/api/channels.ts";
import { errorText } from "#domain/errors/catalogue.ts";
import type { channelRoutes } from "#workers/contracts/api/tenants/channels.ts";
import { log } from "#workers/shared/log.ts";
import type { Settings } from "../../env.ts";
import { Failure, failure, invalidInput } from "../../http/failure.tsx";
import type { Handlers } from "../../http/serve.ts";
import { requireVersion } from "../../http/versions.ts";
import { changeSecrets, lockedDoor } from "../doors/handlers.ts";
import { sendInstanceEvent } from "../events.ts";
import { requireInstance } from "../required.ts";
import {
  connect,
  credentialsOf,
  disconnect,
  requestPush,
  requireAccount,
  requireChannel,
  sealedChannel,
  tokenOf,
  withToken,
} from "./connection.ts";
import { findFirstMessage, stepsOf } from "./first-message.ts";
import { apiOf } from "./vendor-call.ts";
import { VENDORS } from "./vendors.ts";

export const channelHandlers: Handlers<typeof channelRoutes> = {
  async listChannels({ db, settings, params }) {
    const { id } = await requireInstance(db, settings.ENVIRONMENT, params.instance_id);
    const found = await listChannels(db, settings.ENVIRONMENT, id);
    return { data: found.map((one) => bodyOf(channel, one)) };
  },

  async createChannel({ params, body, ...call }) {
    const { db, settings } = call;
    await requireInstance(db, settings.ENVIRONMENT, params.instance_id);
    // Before any lock, because the vendor may be slow.
    const account = await requireAccount(settings, body.kind, body.token);
    const { id, url } = await connect(call, params.instance_id, { ...body, account });
    const steps = CHANNEL_KINDS[body.kind].steps.map((step) => ofBot(step, account.name));
    return { ...(await bodyWithId(db, settings.ENVIRONMENT, id)), url, steps };
  },

  async replaceChannelToken({ db, settings, params, body, expected, caller }) {
    const { ENVIRONMENT: environment } = settings;
    const found = await requireChannel(db, environment, params.id);
    const { kind } = found;
    requireVersion(expected, found.version);
    const faults = tokenFaults(kind, { ...body, isReplacement: true });
    if (faults.length > 0) {
      throw invalidInput("body", Object.fromEntries(faults.map(({ path, message }) => [path, [message]])));
    }
    const account = await requireAccount(settings, kind, body.token);
    if (account.id !== found.account.id) {
      const values = { other: account.name, bot: found.account.name };
      throw failure(channelErrors.channel_token_of_other_bot, values);
    }
    const door = await lockedDoor(db, environment, found.door_id);
    requireVersion(expected, (await requireChannel(db, environment, found.id)).version);
    const { channel: present } = await credentialsOf(db, settings, found);
    const { secret: terms } = CHANNEL_KINDS[kind];
    if (terms && body.secret !== undefined) {
      const given = { [terms.name]: body.secret };
      await changeSecrets({ db, settings, caller }, door, { given, seconds: DEFAULT_OVERLAP_SECONDS });
    }
    const credentials = await sealedChannel(settings, found.id, withToken(present, body.token));
    await replaceCredentials(db, found.id, { credentials, account });
    await requestPush(db, door.instance, caller.email);
    const data = { channel_id: found.id, kind };
    await sendInstanceEvent(db, door.instance, "channel.token_replaced", caller.email, data);
    return bodyWithId(db, environment, found.id);
  },

  async checkChannel({ db, settings, params, caller }) {
    const { ENVIRONMENT: environment } = settings;
    const found = await requireChannel(db, environment, params.id);
    const { channel: opened, sealed } = await credentialsOf(db, settings, found);
    const { label } = CHANNEL_KINDS[found.kind];
    const answer = await VENDORS[found.kind].account(apiOf(found.kind, settings.CHANNEL_APIS), tokenOf(opened));
    // Another request may have replaced the token meanwhile.
    const checked = { id: found.id, credentials: sealed };
    if (answer === "rejected") {
      const error = errorText(channelErrors.channel_token_rejected, { vendor: label });
      await recordFault(db, checked, "token_rejected", error);
    } else {
      await recordAccepted(db, checked, answer.name);
      await requestPush(db, await requireInstance(db, environment, found.instance_id), caller.email);
    }
    return bodyWithId(db, environment, found.id);
  },

  async testChannel({ db, settings, params, release, inNewTransaction }) {
    const { ENVIRONMENT: environment } = settings;
    const found = await requireChannel(db, environment, params.id);
    const { channel: opened } = await credentialsOf(db, settings, found);
    const { client } = await requireInstance(db, environment, found.instance_id);
    await release();
    const api = apiOf(found.kind, settings.CHANNEL_APIS);
    const webhook = await VENDORS[found.kind].webhook(api, tokenOf(opened), opened.url);
    if (webhook === "rejected") {
      throw failure(channelErrors.channel_token_rejected, { vendor: CHANNEL_KINDS[found.kind].label });
    }
    const message = await findFirstMessage(settings, client.slug, found);
    const after = await inNewTransaction(async (tx) => {
      if (message === "accepted") await recordConnected(tx, found.id);
      return bodyWithId(tx, environment, found.id);
    });
    return { channel: after, webhook, message, steps: stepsOf(found, webhook, message) };
  },

  async deleteChannel({ db, settings, params, expected, caller }) {
    const found = await requireChannel(db, settings.ENVIRONMENT, params.id);
    requireVersion(expected, found.version);
    // Before any lock, because the vendor may be slow. A repeated deletion does no harm.
    const remaining = (await stopVendor(db, settings, found))
      ? []
      : [ofBot(CHANNEL_KINDS[found.kind].stop, found.account.name)];
    await disconnect(db, settings, found, caller);
    return { remaining };
  },
};

const bodyWithId = async (db: Kysely<DB>, environment: Environment, id: string) =>
  bodyOf(channel, await requireChannel(db, environment, id));

/** Makes the vendor send no more webhooks, if it can. @returns whether it sends none. No fault of the vendor or of the token prevents a deletion. */
async function stopVendor(db: Kysely<DB>, settings: Settings, found: ListedChannel): Promise<boolean> {
  const { stop } = VENDORS[found.kind];
  if (stop === undefined) return false;
  try {
    const { channel: opened } = await credentialsOf(db, settings, found);
    const answer = await stop(apiOf(found.kind, settings.CHANNEL_APIS), tokenOf(opened), opened.url);
    return answer !== "rejected";
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    log("warn", "channel.vendor-not-stopped", { channel: found.id, reason: error.reason });
    return false;
  }
}
