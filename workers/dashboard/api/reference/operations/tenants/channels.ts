import { channelRoutes } from "#workers/contracts/api/tenants/channels.ts";
import { channel, DOMAIN, IDS } from "../examples.ts";
import { section } from "../section.ts";

const ofInstance = { instance_id: IDS.instance };
const params = { id: IDS.channel };
const token = "7000000001:AAHk3dYbQ0sV9mZrTt4uJxWc8eLpFnGi2oE";
const UNREADABLE = "The token cannot be decrypted.";
const connected = { ...channel, state: "connected" as const, connected_at: "2026-11-03T07:20:05.000Z" };

export const channelSection = section(
  channelRoutes,
  "Channels",
  "A channel is a bot of a messenger that is connected to an instance. The gateway of the tenant gets the token of the bot. The vendor of a `webhook` channel sends messages to a door that belongs to the channel. The gateway holds the connection of a `socket` channel, which is offline while the instance sleeps.",
  {
    listChannels: {
      description:
        "Returns the channels of an instance, oldest first. Tokens are not returned. An instance has at most one channel of each messenger. The health of the instance says which socket channels are online.",
      params: ofInstance,
      answer: { data: [connected] },
    },
    createChannel: {
      description:
        "Checks the token at the vendor, creates the door of a webhook channel, stores the token encrypted, and sends the tenant its channels by a job. Returns the URL of the door once, and what to do at the vendor. The connection to an IRC server is not checked. The platform stores nothing if the vendor does not accept the token.",
      params: ofInstance,
      body: { kind: "telegram", token },
      answer: {
        ...channel,
        url: `https://hooks.${DOMAIN}/4fK9sT2mWc7RzXn1LpYdQ7xB`,
        steps: ["Send /start to @acme_support_bot in Telegram."],
      },
      errors: {
        conflict:
          "The bot is connected to a tenant, the instance has a channel of this messenger, or an egress policy does not allow the channel's hosts.",
      },
    },
    replaceChannelToken: {
      description:
        "Replaces the token, such as after it was revoked. The new one must belong to the same bot. The address and the messages in the inbox stay. The gateway restarts with the new token.",
      params,
      body: { token },
      answer: { ...channel, token_replaced_at: "2026-11-03T07:50:00.000Z", version: 2 },
      errors: {
        conflict: `The token belongs to another bot, or an egress policy does not allow the homeserver. ${UNREADABLE}`,
      },
    },
    checkChannel: {
      description:
        "Checks the stored token at the vendor, and sends the tenant its channels again. A token that the vendor rejects gives the channel the state `token_rejected`.",
      params,
      answer: connected,
      errors: { conflict: UNREADABLE },
    },
    testChannel: {
      description:
        "Returns where the vendor sends the bot's messages, whether the gateway has accepted one, and what to do next. Of a socket channel, it returns the state of the connection. No message is sent: vendors let a bot write only to people who have written to it. The first message that the gateway accepts makes the channel `connected`.",
      params,
      answer: {
        channel: connected,
        webhook: { registration: "registered", error: null },
        connection: null,
        message: "accepted",
        steps: [],
      },
      errors: {
        conflict: `The tenant has no Worker. ${UNREADABLE}`,
      },
    },
    deleteChannel: {
      description:
        "Deletes a channel with its door, and removes the token from the tenant by a job. Deletes the webhook at Telegram if it is the channel's. Returns what remains to be done by hand. A vendor that does not respond does not prevent the deletion.",
      params,
      answer: { remaining: [] },
    },
  },
);
