/**
 * A Slack workspace with people, one app's bot and their direct messages. Answers and errors are those of each method's page:
 * https://docs.slack.dev/reference/methods/METHOD.
 */

/** Longer text is cut: https://docs.slack.dev/reference/methods/chat.postMessage#truncating. */
const MAX_TEXT = 40_000;
/** https://docs.slack.dev/reference/block-kit/blocks */
const MAX_BLOCKS = 50;
const MAX_PAGE = 999;
const BOT = { user_id: "U0BOT00001", bot_id: "B0BOT00001", name: "acme" };
const TEAM = { id: "T0ACME0001", name: "Acme", url: "https://acme.slack.com/" };
export const APP_ID = "A0ACME0001";

export interface SlackMessage {
  channel: string;
  /** Its time, and its ID in the conversation. */
  ts: string;
  user: string;
  text: string;
  thread_ts?: string;
}

interface Person {
  id: string;
  name: string;
  /** The direct messages with the bot, once they are open. */
  im?: string;
}

/** An error of Slack: `{ "ok": false, "error": CODE }`. */
export class Failure extends Error {
  readonly details: object;

  constructor(code: string, details: object = {}) {
    super(code);
    this.details = details;
  }
}

export type Arguments = Record<string, unknown>;

/** What Slack sends an app: https://docs.slack.dev/apis/events-api#callback-field. */
export interface SlackEvent {
  type: string;
  event_id: string;
  [key: string]: unknown;
}

export class Workspace {
  /** Messages of the bot, with their last text. */
  readonly sent: SlackMessage[] = [];
  readonly #people = new Map<string, Person>();
  readonly #written: SlackMessage[] = [];
  #last = 0;

  /** Adds a person, who may write to the bot. */
  addPerson(id: string, name: string): void {
    this.#people.set(id, { id, name });
  }

  /** A person writes to the bot. @returns the event, https://docs.slack.dev/reference/events/message.im */
  write(user: string, text: string): SlackEvent {
    const channel = this.#im(user);
    const ts = this.#time();
    this.#written.push({ channel, ts, user, text });
    const { id: team } = TEAM;
    const client_msg_id = crypto.randomUUID();
    return {
      token: "the-verification-token",
      team_id: team,
      api_app_id: APP_ID,
      type: "event_callback",
      event: { type: "message", channel_type: "im", client_msg_id, channel, user, text, ts, event_ts: ts, team },
      event_id: `Ev${String(this.#last).padStart(9, "0")}`,
      event_time: Math.floor(Number(ts)),
      event_context: "4-the-event-context",
      is_ext_shared_channel: false,
      authorizations: [
        { enterprise_id: null, team_id: team, user_id: BOT.user_id, is_bot: true, is_enterprise_install: false },
      ],
    };
  }

  identity(): object {
    const { user_id, bot_id, name: user } = BOT;
    const { url, name: team, id: team_id } = TEAM;
    return { url, team, user, team_id, user_id, bot_id, is_enterprise_install: false };
  }

  /** A person's ID stands for the direct messages with the app. */
  post({ channel: where, thread_ts, ...given }: Arguments): object {
    const person = this.#people.get(String(where));
    const channel = person === undefined ? this.conversation(where).id : this.#im(person.id);
    // Slack does not document the answer to the ID of a message that does not exist.
    if (isText(thread_ts) && !this.#all(channel).some(({ ts }) => ts === thread_ts))
      throw new Failure("cannot_reply_to_message");
    const text = textOf(given);
    const ts = this.#time();
    const message = { channel, ts, user: BOT.user_id, text, ...(isText(thread_ts) && { thread_ts }) };
    this.sent.push(message);
    return { channel, ts, message: shown(message) };
  }

  update({ channel, ts, ...given }: Arguments): object {
    const message = this.#own(channel, ts, "cant_update_message");
    message.text = textOf(given);
    return { channel: message.channel, ts: message.ts, text: message.text, message: shown(message) };
  }

  remove({ channel, ts }: Arguments): object {
    const message = this.#own(channel, ts, "cant_delete_message");
    this.sent.splice(this.sent.indexOf(message), 1);
    return { channel: message.channel, ts: message.ts };
  }

  open({ channel, users }: Arguments): object {
    if (isText(channel)) return { no_op: true, already_open: true, channel: { id: this.conversation(channel).id } };
    if (!isText(users)) throw new Failure("users_list_not_supplied");
    const [user = "", ...others] = users.split(",");
    // Direct messages of several people do not exist here.
    if (others.length > 0) throw new Failure("invalid_user_combination");
    return { channel: { id: this.#im(user) } };
  }

  conversation(id: unknown): { id: string; user: string; is_im: true; created: number } {
    const person = [...this.#people.values()].find(({ im }) => im !== undefined && im === id);
    if (person?.im === undefined) throw new Failure("channel_not_found");
    return { id: person.im, user: person.id, is_im: true, created: 1_700_000_000 };
  }

  /** @param types as `conversations.list` takes them */
  conversations(types: readonly string[]): object {
    const open = [...this.#people.values()].flatMap(({ im }) => im ?? []);
    const channels = types.includes("im") ? open.map((im) => this.conversation(im)) : [];
    return { channels, response_metadata: { next_cursor: "" } };
  }

  members({ channel }: Arguments): object {
    return { members: [this.conversation(channel).user, BOT.user_id], response_metadata: { next_cursor: "" } };
  }

  /** Newest first, without replies. */
  history({ channel, limit = 100, oldest = 0, latest = Number.POSITIVE_INFINITY, inclusive }: Arguments): object {
    const { id } = this.conversation(channel);
    const isBetween = (ts: number) =>
      (ts > Number(oldest) && ts < Number(latest)) ||
      (String(inclusive) === "true" && (ts === Number(oldest) || ts === Number(latest)));
    const found = this.#all(id).filter(({ ts, thread_ts }) => thread_ts === undefined && isBetween(Number(ts)));
    return page(found.toReversed(), limit);
  }

  replies({ channel, ts, limit = MAX_PAGE }: Arguments): object {
    const found = this.#all(this.conversation(channel).id).filter((one) => one.ts === ts || one.thread_ts === ts);
    if (!found.some((one) => one.ts === ts)) throw new Failure("thread_not_found");
    return page(found, limit);
  }

  user({ user: id }: Arguments): object {
    const isBot = id === BOT.user_id;
    const person = isBot ? { id: BOT.user_id, name: BOT.name } : this.#people.get(String(id));
    if (person === undefined) throw new Failure("user_not_found");
    const { name } = person;
    const profile = { real_name: name, display_name: name, team: TEAM.id };
    const user = { id: person.id, name, real_name: name, team_id: TEAM.id, deleted: false, is_bot: isBot, profile };
    return { user };
  }

  #im(user: string): string {
    const person = this.#people.get(user);
    if (person === undefined) throw new Failure("user_not_found");
    person.im ??= `D${user.slice(1)}`;
    return person.im;
  }

  #own(channel: unknown, ts: unknown, refusal: string): SlackMessage {
    const message = this.#all(this.conversation(channel).id).find((one) => one.ts === ts);
    if (message === undefined) throw new Failure("message_not_found");
    if (message.user !== BOT.user_id) throw new Failure(refusal);
    return message;
  }

  /** Messages of a conversation, oldest first. */
  #all(channel: string): SlackMessage[] {
    const messages = [...this.#written, ...this.sent].filter((one) => one.channel === channel);
    return messages.toSorted((a, b) => Number(a.ts) - Number(b.ts));
  }

  #time(): string {
    this.#last += 1;
    return `${Math.floor(Date.now() / 1000)}.${String(this.#last).padStart(6, "0")}`;
  }
}

export const isText = (value: unknown): value is string => typeof value === "string" && value !== "";

function shown({ channel: _, ...message }: SlackMessage): object {
  const isBots = message.user === BOT.user_id;
  return { type: "message", team: TEAM.id, ...message, ...(isBots && { bot_id: BOT.bot_id, app_id: APP_ID }) };
}

function page(found: readonly SlackMessage[], limit: unknown): object {
  const size = Number(limit);
  if (!Number.isInteger(size) || size < 1 || size > MAX_PAGE) throw new Failure("invalid_limit");
  return { messages: found.slice(0, size).map(shown), has_more: found.length > size };
}

/** Returns the text of a message that is to be sent. */
function textOf({ text, blocks, attachments, markdown_text: markdown }: Arguments): string {
  const parts = [listOf(blocks, "invalid_blocks_format"), listOf(attachments, "invalid_attachments")];
  if ((parts[0]?.length ?? 0) > MAX_BLOCKS) throw new Failure("invalid_blocks");
  if (isText(markdown)) {
    if (isText(text) || blocks !== undefined) throw new Failure("markdown_text_conflict");
    return markdown;
  }
  if (!isText(text) && parts.every((list) => list === undefined || list.length === 0)) throw new Failure("no_text");
  return String(text ?? "").slice(0, MAX_TEXT);
}

/** Lists are JSON, or JSON in a form's text. */
function listOf(value: unknown, refusal: string): unknown[] | undefined {
  if (value === undefined) return undefined;
  let list: unknown = value;
  if (typeof value === "string") {
    try {
      list = JSON.parse(value);
    } catch {
      throw new Failure(refusal);
    }
  }
  if (!Array.isArray(list)) throw new Failure(refusal);
  return list;
}
