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
import { ofBot, valueFaults, valuesFor } from "#domain/channels/channel.ts";
import { termsOf } from "#domain/channels/kinds.ts";
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
import { TenantOrders } from "../../tenants/tenant-orders.ts";
import { requireUnchanged } from "../changed-by.ts";
import { changeSecrets } from "../doors/handlers.ts";
import { requireChannelHosts } from "../egress/channels.ts";
import { sendInstanceEvent } from "../events.ts";
import { requireInstance } from "../required.ts";
import {
  accountOf,
  connect,
  credentialsOf,
  disconnect,
  lockedChannel,
  requestPush,
  requireAccount,
  requireChannel,
  sealedChannel,
  withValues,
} from "./connection.ts";
import { ownConnection, stepsFor } from "./connections.ts";
import { findFirstMessage, stepsOf } from "./first-message.ts";
import { apiOf } from "./vendor-call.ts";
import { stopVendor } from "./vendor-orders.ts";
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
    const { kind, move, allow_hosts: allowHosts, ...values } = body;
    const account = await requireAccount(settings, withValues({ kind, secrets: {} }, values));
    const { id, url } = await connect(call, params.instance_id, { kind, move, allowHosts, values, account });
    const steps = termsOf(kind).steps.map((step) => ofBot(step, account.name));
    return { ...(await bodyWithId(db, settings.ENVIRONMENT, id)), url, steps };
  },

  async replaceChannelToken({ db, settings, params, body, expected, caller }) {
    const { ENVIRONMENT: environment } = settings;
    const found = await requireChannel(db, environment, params.id);
    const { kind } = found;
    await requireUnchanged(db, expected, { entity: "channels", ...found }, caller);
    const faults = valueFaults(kind, body, true);
    if (faults.length > 0) {
      throw invalidInput("body", Object.fromEntries(faults.map(({ path, message }) => [path, [message]])));
    }
    const { channel: present } = await credentialsOf(db, settings, found);
    const account = await requireAccount(settings, withValues(present, body));
    if (account.id !== found.account.id) {
      const values = { other: account.name, bot: found.account.name };
      throw failure(channelErrors.channel_token_of_other_bot, values);
    }
    const { instance, door } = await lockedChannel(db, environment, found);
    if (body.homeserver !== undefined) {
      const channel = { kind, server: body.homeserver };
      await requireChannelHosts(db, settings, instance, { channel, by: undefined });
    }
    const { id, version } = await requireChannel(db, environment, found.id);
    await requireUnchanged(db, expected, { entity: "channels", id, version }, caller);
    // Another request may have replaced other values meanwhile.
    const { channel: latest } = await credentialsOf(db, settings, found);
    const given = valuesFor(kind, body, "door");
    if (door !== undefined && Object.keys(given).length > 0) {
      await changeSecrets({ db, settings, caller }, door, { given, seconds: DEFAULT_OVERLAP_SECONDS });
    }
    const credentials = await sealedChannel(settings, found.id, withValues(latest, body));
    await replaceCredentials(db, found.id, { credentials, account });
    await requestPush(db, instance, caller.email);
    const data = { channel_id: found.id, kind };
    await sendInstanceEvent(db, instance, "channel.token_replaced", caller.email, data);
    return bodyWithId(db, environment, found.id);
  },

  async checkChannel({ db, settings, params, caller }) {
    const { ENVIRONMENT: environment } = settings;
    const found = await requireChannel(db, environment, params.id);
    const { channel: opened, sealed } = await credentialsOf(db, settings, found);
    const { label } = termsOf(found.kind);
    const answer = await accountOf(settings, opened);
    // Another request may have replaced the token meanwhile.
    const checked = { id: found.id, credentials: sealed };
    if (answer === "rejected") {
      const error = errorText(channelErrors.channel_token_rejected, { vendor: label });
      await recordFault(db, checked, "token_rejected", error);
    } else {
      await recordAccepted(db, checked, answer.name, ["push_failed", "token_rejected"]);
      await requestPush(db, await requireInstance(db, environment, found.instance_id), caller.email);
    }
    return bodyWithId(db, environment, found.id);
  },

  async testChannel({ db, settings, params, release, inNewTransaction }) {
    const { ENVIRONMENT: environment } = settings;
    const found = await requireChannel(db, environment, params.id);
    const { channel: opened, sealed } = await credentialsOf(db, settings, found);
    const { client } = await requireInstance(db, environment, found.instance_id);
    await release();
    const { webhook: ask } = VENDORS[found.kind];
    const orders = new TenantOrders(settings);
    if (ask === undefined || opened.url === undefined) {
      const connection = ownConnection(await orders.status(client.slug), found.kind);
      const steps = termsOf(found.kind).steps.map((step) => ofBot(step, found.account.name));
      const body = bodyOf(channel, found);
      return {
        channel: body,
        webhook: null,
        message: "none" as const,
        connection: connection ?? null,
        steps: stepsFor(connection, steps),
      };
    }
    const api = apiOf(found.kind, settings.CHANNEL_APIS);
    const webhook = await ask(api, opened, opened.url);
    if (webhook === "rejected") {
      throw failure(channelErrors.channel_token_rejected, { vendor: termsOf(found.kind).label });
    }
    const message = await findFirstMessage(settings, client.slug, found);
    // The webhook's registration is worth reporting without it.
    const status = await orders.status(client.slug).catch(() => undefined);
    const connection = status && ownConnection(status, found.kind);
    const after = await inNewTransaction(async (tx) => {
      if (message === "accepted") await recordConnected(tx, found.id);
      if (webhook.registration === "registered") {
        await recordAccepted(tx, { id: found.id, credentials: sealed }, found.account.name, ["webhook_lost"]);
      }
      return bodyWithId(tx, environment, found.id);
    });
    const steps = connection ? stepsFor(connection, []) : stepsOf(found, webhook, message);
    return { channel: after, webhook, connection: connection ?? null, message, steps };
  },

  async deleteChannel({ db, settings, params, expected, caller }) {
    const found = await requireChannel(db, settings.ENVIRONMENT, params.id);
    await requireUnchanged(db, expected, { entity: "channels", ...found }, caller);
    // Before any lock, because the vendor may be slow. A repeated deletion does no harm.
    const remaining = (await stopStored(db, settings, found))
      ? []
      : [ofBot(termsOf(found.kind).stop, found.account.name)];
    await disconnect(db, settings, found, caller);
    return { remaining };
  },
};

const bodyWithId = async (db: Kysely<DB>, environment: Environment, id: string) =>
  bodyOf(channel, await requireChannel(db, environment, id));

/** Like {@link stopVendor}. Credentials that cannot be decrypted do not prevent a deletion. */
async function stopStored(db: Kysely<DB>, settings: Settings, found: ListedChannel): Promise<boolean> {
  try {
    const { channel: opened } = await credentialsOf(db, settings, found);
    return await stopVendor(settings, found.id, opened);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    log("warn", "channel.vendor-not-stopped", { channel: found.id, reason: error.reason });
    return false;
  }
}
