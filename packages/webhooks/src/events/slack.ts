import * as z from "zod";
import { jsonAcknowledgement } from "../terms.ts";
import type { WebhookRequest } from "../verdict.ts";
import { formOf, jsonOf, jsonOrPayloadOf } from "./body.ts";
import { type Event, maybe, named, type Reader, text } from "./event.ts";

const withId = z.object({ id: maybe(text) });
const threaded = z.object({ thread_ts: maybe(text) });

/** docs.slack.dev/apis/events-api/#callback-field */
const callback = z.object({
  type: text,
  challenge: maybe(z.string()),
  event_id: maybe(text),
  team_id: maybe(text),
  enterprise_id: maybe(text),
  event: maybe(
    threaded.extend({
      channel: maybe(z.union([text, withId.transform((channel) => channel.id)])),
      channel_id: maybe(text),
      item: maybe(z.object({ channel: maybe(text) })),
      message: maybe(threaded),
    }),
  ),
});

/** docs.slack.dev/interactivity/handling-user-interaction#payloads */
const interaction = z.object({
  type: text,
  trigger_id: maybe(text),
  team: maybe(withId),
  enterprise: maybe(withId),
  channel: maybe(withId),
  container: maybe(threaded.extend({ channel_id: maybe(text) })),
  message: maybe(threaded),
});

function readCallback(data: z.infer<typeof callback>): Event {
  const { event, team_id: team, enterprise_id: enterprise } = data;
  const channel = event?.channel ?? event?.channel_id ?? event?.item?.channel;
  const thread = event?.thread_ts ?? event?.message?.thread_ts;
  const owner = team ?? enterprise;
  return {
    ids: data.event_id === undefined ? [] : [data.event_id],
    conversation: channel === undefined ? undefined : named(owner, channel, thread),
  };
}

function readInteraction(data: z.infer<typeof interaction>): Event {
  const channel = data.channel?.id ?? data.container?.channel_id;
  const thread = data.container?.thread_ts ?? data.message?.thread_ts;
  return {
    ids: data.trigger_id === undefined ? [] : [data.trigger_id],
    conversation: channel === undefined ? undefined : named(data.team?.id ?? data.enterprise?.id, channel, thread),
  };
}

/** A slash command (docs.slack.dev/interactivity/implementing-slash-commands#app_command_handling). */
function readCommand({ body }: WebhookRequest): ReturnType<Reader> {
  const form = formOf(body);
  if (form?.has("ssl_check")) return { answer: { status: 200, headers: {}, body: "" } };
  if (!form?.has("command")) return undefined;
  const [trigger, channel] = [form.get("trigger_id"), form.get("channel_id")];
  return {
    ids: trigger ? [trigger] : [],
    conversation: channel ? named(form.get("team_id") ?? form.get("enterprise_id") ?? undefined, channel) : undefined,
  };
}

export const readSlack: Reader = (request) => {
  const json = jsonOf(request.body);
  if (json !== undefined) {
    const { data } = callback.safeParse(json);
    if (data?.type !== "url_verification") return data && readCallback(data);
    return data.challenge === undefined ? undefined : { answer: jsonAcknowledgement({ challenge: data.challenge }) };
  }
  const payload = interaction.safeParse(jsonOrPayloadOf(request.body)).data;
  return payload ? readInteraction(payload) : readCommand(request);
};
