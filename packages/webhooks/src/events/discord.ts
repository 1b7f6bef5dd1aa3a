import * as z from "zod";
import { jsonAcknowledgement } from "../terms.ts";
import { jsonOf } from "./body.ts";
import { id, maybe, type Reader } from "./event.ts";

/** docs.discord.com/developers/interactions/receiving-and-responding#interaction-object */
const interaction = z.object({
  type: z.int(),
  id: maybe(id),
  channel_id: maybe(id),
  channel: maybe(z.object({ id: maybe(id) })),
  /** Of a webhook event (docs.discord.com/developers/events/webhook-events#event-body-object). */
  event: maybe(z.object({})),
});

const WEBHOOK_EVENT = 1;
const INTERACTION_PING = 1;
const AUTOCOMPLETE = 4;
const WEBHOOK_PING = 0;

const EMPTY = { status: 204, headers: {}, body: "" };
const PONG = jsonAcknowledgement({ type: 1 });
/** Choices are valid in this response only: an agent is too slow for them. */
const NO_CHOICES = jsonAcknowledgement({ type: 8, data: { choices: [] } });

export const readDiscord: Reader = ({ body }) => {
  const { data } = interaction.safeParse(jsonOf(body));
  if (!data) return undefined;
  if (data.type === WEBHOOK_EVENT && data.event) return { acknowledgement: EMPTY };
  if (data.type === WEBHOOK_PING) return { answer: EMPTY };
  if (data.type === INTERACTION_PING) return { answer: PONG };
  if (data.type === AUTOCOMPLETE) return { answer: NO_CHOICES };
  if (data.id === undefined) return undefined;
  return { ids: [data.id], conversation: data.channel_id ?? data.channel?.id };
};
