/** Channels: bots of messengers that are connected to a tenant. */

/** As in `workers/contracts/tenant/channels.ts`. */
export const channelKinds = ["telegram", "slack"] as const;
export type ChannelKind = (typeof channelKinds)[number];

interface ChannelTerms {
  label: string;
  /** Form of the bot's token. It has no character that is special in a URL or header. */
  token: RegExp;
  /** Why another token is refused. */
  tokenFault: string;
  /** Secret of the door that the vendor issues, by which requests are verified; undefined if the platform generates it. */
  secret?: { name: string; label: string };
  /** Base URL of the vendor's API. */
  api: string;
  /** What the owner does at the vendor after connecting. `{bot}` is the bot's name. */
  steps: readonly string[];
  /** What the owner does at the vendor after disconnecting. */
  stop: string;
}

export const CHANNEL_KINDS: Readonly<Record<ChannelKind, ChannelTerms>> = {
  telegram: {
    label: "Telegram",
    // Its example is 123456:ABC-DEF1234ghIkl-zyx57W2v1u123ew11 (https://core.telegram.org/bots/api#authorizing-your-bot).
    token: /^\d{1,20}:[A-Za-z0-9_-]{20,100}$/,
    tokenFault: "must be the token of a bot as @BotFather shows it, such as 123456:ABC-DEF1234ghIkl-zyx57W2v1u123ew11",
    api: "https://api.telegram.org",
    steps: ["Send /start to {bot} in Telegram."],
    stop: "Send /revoke to @BotFather, or call deleteWebhook with the token of {bot}.",
  },
  slack: {
    label: "Slack",
    // https://docs.slack.dev/authentication/tokens#bot
    token: /^xoxb-[A-Za-z0-9-]{10,250}$/,
    tokenFault: "must be the Bot User OAuth Token of a Slack app, which begins with xoxb-",
    secret: { name: "signingSecret", label: "signing secret" },
    api: "https://slack.com",
    steps: [
      "In the settings of the Slack app, open Event Subscriptions and enter the URL as Request URL.",
      "Send a direct message to {bot} in Slack.",
    ],
    stop: "In the settings of the Slack app, turn off Event Subscriptions.",
  },
};

/**
 * Returns faults of a pasted token and secret, without their values.
 *
 * @param o.isReplacement whether the secret may be omitted, because the present one stays
 */
export function tokenFaults(
  kind: ChannelKind,
  { token, secret, isReplacement = false }: { token: string; secret?: string | undefined; isReplacement?: boolean },
): { path: "token" | "secret"; message: string }[] {
  const { token: form, tokenFault, secret: terms, label } = CHANNEL_KINDS[kind];
  const faults: ReturnType<typeof tokenFaults> = [];
  if (!form.test(token)) faults.push({ path: "token", message: tokenFault });
  if (terms === undefined && secret !== undefined) {
    faults.push({ path: "secret", message: `is not used: the platform generates the secret of ${label}` });
  }
  if (terms !== undefined && secret === undefined && !isReplacement) {
    faults.push({ path: "secret", message: `is required: the ${terms.label} of ${label}` });
  }
  return faults;
}

export const channelStates = [
  "pushing",
  "push_failed",
  "token_rejected",
  "waiting_for_first_message",
  "connected",
] as const;
export type ChannelState = (typeof channelStates)[number];

/** Faults that are stored; each is a state. */
export const channelFaults = ["push_failed", "token_rejected"] as const;
export type ChannelFault = (typeof channelFaults)[number];

/** Returns a channel's state. */
export function channelState(row: {
  fault: ChannelFault | null;
  pushed_at: Date | null;
  connected_at: Date | null;
}): ChannelState {
  if (row.fault !== null) return row.fault;
  if (row.pushed_at === null) return "pushing";
  return row.connected_at === null ? "waiting_for_first_message" : "connected";
}

/** Returns a text for a bot. */
export const ofBot = (text: string, bot: string): string => text.replaceAll("{bot}", () => bot);

/** Returns a free name for a channel's door: its kind, or the kind with a number. */
export function freeDoorName(kind: ChannelKind, taken: readonly string[]): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? kind : `${kind}-${number}`;
    if (!taken.includes(name)) return name;
  }
}
