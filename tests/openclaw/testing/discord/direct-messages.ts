/** Direct messages of a bot: https://docs.discord.com/developers/resources/channel, https://docs.discord.com/developers/resources/message. */
import * as z from "zod";

/** https://docs.discord.com/developers/resources/message#create-message */
const MAX_CONTENT = 2000;
/** https://docs.discord.com/developers/reference#snowflakes */
const EPOCH_MS = 1_420_070_400_000;
const DM = 1;

/** Codes: https://docs.discord.com/developers/topics/opcodes-and-status-codes#json. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: number;
  readonly details: object;
  readonly headers: Record<string, string>;

  constructor(status: number, code: number, message: string, details = {}, headers: Record<string, string> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
    this.headers = headers;
  }
}

interface Person {
  id: string;
  username: string;
  channel: string | undefined;
}

export interface DiscordMessage {
  id: string;
  channel_id: string;
  author: object;
  content: string;
  timestamp: string;
  [key: string]: unknown;
}

const message = z.object({
  content: z.string().nullish(),
  embeds: z.array(z.unknown()).nullish(),
  components: z.array(z.unknown()).nullish(),
  sticker_ids: z.array(z.string()).nullish(),
  message_reference: z.object({ message_id: z.string(), fail_if_not_exists: z.boolean().default(true) }).nullish(),
});

export class DirectMessages {
  /** Messages of the bot, with their last text. */
  readonly sent: DiscordMessage[] = [];
  readonly #bot: object;
  readonly #people = new Map<string, Person>();
  readonly #written: DiscordMessage[] = [];
  #last = 0;

  constructor(bot: object) {
    this.#bot = bot;
  }

  /** Adds a person, who may write to the bot. */
  addPerson(id: string, username: string): void {
    this.#people.set(id, { id, username, channel: undefined });
  }

  user(id: string | undefined): object {
    const { username } = this.#person(id);
    return { id, username, discriminator: "0", global_name: username, avatar: null };
  }

  /** A person writes to the bot. @returns the event's data, https://docs.discord.com/developers/events/gateway-events#message-create */
  write(person: string, content: string): DiscordMessage {
    const { id } = this.open(person);
    const written = this.#message(id, this.user(person), content);
    this.#written.push(written);
    return { ...written, channel_type: DM };
  }

  open(person: string): { id: string } {
    const known = this.#person(person);
    known.channel ??= this.#snowflake();
    return this.channel(known.channel);
  }

  channel(id: string | undefined): { id: string; type: number; recipients: object[]; last_message_id: string | null } {
    const person = [...this.#people.values()].find(({ channel }) => channel !== undefined && channel === id);
    if (person?.channel === undefined) throw new Refusal(404, 10_003, "Unknown Channel");
    const last_message_id = this.#all(person.channel).at(-1)?.id ?? null;
    return { id: person.channel, type: DM, recipients: [this.user(person.id)], last_message_id };
  }

  /** Newest first. */
  history(channel: string | undefined): DiscordMessage[] {
    return this.#all(this.channel(channel).id).toReversed();
  }

  message(channel: string | undefined, id: string | undefined): DiscordMessage {
    const found = this.history(channel).find((one) => one.id === id);
    if (found === undefined) throw new Refusal(404, 10_008, "Unknown Message");
    return found;
  }

  post(channel: string | undefined, body: unknown): DiscordMessage {
    const { id } = this.channel(channel);
    const { content, reference } = checked(body);
    const isKnown = this.#all(id).some((one) => one.id === reference?.message_id);
    if (reference?.fail_if_not_exists && !isKnown)
      throw invalid("message_reference", "REPLIES_UNKNOWN_MESSAGE", "Unknown message");
    const sent = this.#message(id, this.#bot, content);
    this.sent.push(sent);
    return sent;
  }

  edit(channel: string | undefined, id: string | undefined, body: unknown): DiscordMessage {
    const found = this.#own(channel, id, new Refusal(403, 50_005, "Cannot edit a message authored by another user"));
    return Object.assign(found, { content: checked(body).content, edited_timestamp: new Date().toISOString() });
  }

  remove(channel: string | undefined, id: string | undefined): undefined {
    const found = this.#own(channel, id, new Refusal(403, 50_003, "Cannot execute action on a DM channel"));
    this.sent.splice(this.sent.indexOf(found), 1);
  }

  #own(channel: string | undefined, id: string | undefined, refusal: Refusal): DiscordMessage {
    const found = this.message(channel, id);
    if (found.author !== this.#bot) throw refusal;
    return found;
  }

  #person(id: string | undefined): Person {
    const person = this.#people.get(id ?? "");
    if (person === undefined) throw new Refusal(404, 10_013, "Unknown User");
    return person;
  }

  #message(channel_id: string, author: object, content: string): DiscordMessage {
    const none = { mentions: [], mention_roles: [], attachments: [], embeds: [], components: [] };
    const flags = { type: 0, flags: 0, tts: false, pinned: false, mention_everyone: false, edited_timestamp: null };
    const timestamp = new Date().toISOString();
    return { id: this.#snowflake(), channel_id, author, content, timestamp, ...none, ...flags };
  }

  #all(channel: string): DiscordMessage[] {
    const messages = [...this.#written, ...this.sent].filter((one) => one.channel_id === channel);
    return messages.toSorted((a, b) => Number(BigInt(a.id) - BigInt(b.id)));
  }

  #snowflake(): string {
    this.#last += 1;
    return String((BigInt(Date.now() - EPOCH_MS) << 22n) + BigInt(this.#last % 4096));
  }
}

function checked(body: unknown) {
  const { data } = message.safeParse(body);
  if (data === undefined) throw new Refusal(400, 50_035, "Invalid Form Body", { errors: {} });
  const { content, embeds, components, sticker_ids, message_reference: reference } = data;
  const isEmpty = !content?.trim() && [embeds, components, sticker_ids].every((list) => !list?.length);
  if (isEmpty) throw new Refusal(400, 50_006, "Cannot send an empty message");
  if ((content?.length ?? 0) > MAX_CONTENT)
    throw invalid("content", "BASE_TYPE_MAX_LENGTH", `Must be ${MAX_CONTENT} or fewer in length.`);
  return { content: content ?? "", reference };
}

/** https://docs.discord.com/developers/reference#error-messages */
const invalid = (field: string, code: string, text: string) =>
  new Refusal(400, 50_035, "Invalid Form Body", { errors: { [field]: { _errors: [{ code, message: text }] } } });
