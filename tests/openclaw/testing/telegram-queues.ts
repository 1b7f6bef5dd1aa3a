/**
 * Deliveries of Telegram's server: the updates of a chat one after another, chats side by side. Telegram documents that it repeats an update
 * "a reasonable amount" of times; the delays are those of its server: `WebhookActor::on_update_error` in
 * https://github.com/tdlib/telegram-bot-api/blob/master/telegram-bot-api/WebhookActor.cpp. Updates are stored for 24 hours:
 * https://core.telegram.org/bots/api#getting-updates.
 */
/** What the webhook answered. */
export interface WebhookAnswer {
  status: number;
  /** Seconds of its `Retry-After`; 0 without one. */
  retryAfter: number;
}

const MAX_DELAY_S = 60;
const MAX_RETRY_AFTER_S = 3600;
const STORED_MS = 24 * 3600 * 1000;

/** Returns whether an answer accepts the update. */
export const isAccepted = ({ status }: WebhookAnswer): boolean => status >= 200 && status < 300;

export interface Queues<Update> {
  /** Returns a chat's oldest update that is pending. */
  next: (chat: number) => Update | undefined;
  /** Calls the webhook. An accepted update is no longer pending. */
  attempt: (update: Update) => Promise<WebhookAnswer>;
  /** Deletes an update that is too old. */
  drop: (update: Update) => void;
}

export class ChatQueues<Update> {
  readonly #o: Queues<Update>;
  readonly #running = new Map<number, Promise<void>>();

  constructor(options: Queues<Update>) {
    this.#o = options;
  }

  /** Resolves when the chat has no pending update. */
  run(chat: number): Promise<void> {
    const running = this.#running.get(chat) ?? this.#run(chat).finally(() => this.#running.delete(chat));
    this.#running.set(chat, running);
    return running;
  }

  async #run(chat: number): Promise<void> {
    for (let update = this.#o.next(chat); update !== undefined; update = this.#o.next(chat)) await this.#repeat(update);
  }

  async #repeat(update: Update): Promise<void> {
    const { attempt, drop } = this.#o;
    const expiresAt = Date.now() + STORED_MS;
    let delay = 1;
    for (let failures = 0; ; failures += 1) {
      const answer = await attempt(update);
      if (isAccepted(answer)) return;
      const asked = Math.min(MAX_RETRY_AFTER_S, answer.retryAfter);
      // The first repetition comes at once.
      if (asked === 0 && failures > 0) delay = Math.min(MAX_DELAY_S * (1 + Math.random()), delay * 2);
      const seconds = asked > 0 || failures === 0 ? asked : delay;
      if (Date.now() + seconds * 1000 > expiresAt) return drop(update);
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
    }
  }
}
