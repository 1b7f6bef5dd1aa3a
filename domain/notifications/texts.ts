/** Texts of notifications, for mails and webhooks. Triggers of the database (database/routines/notifications/occurrences.sql) and health polling write the data. */
import * as z from "zod";
import { oneLine } from "../names/one-line.ts";
import { NOTIFICATION_KINDS, type NotificationKind } from "./kinds.ts";

export interface NotificationText {
  /** One sentence without a full stop. */
  subject: string;
  /** Sentences that explain it. */
  details: readonly string[];
}

/** A test, which an ADMIN requests. */
export const TEST_KIND = "test";
export type SentKind = NotificationKind | typeof TEST_KIND;

const text = z.string().transform(oneLine);
/** As PostgreSQL writes a time into JSON. */
const moment = z.string().transform((at) => momentText(new Date(at)));
const micros = z.coerce.number().transform(dollarsText);
const person = text.transform((by) => (by === "operator" ? "An operator" : by));

const trouble = z.discriminatedUnion("what", [
  z.object({ what: z.literal("began"), since: moment }),
  z.object({ what: z.literal("ended"), since: moment, until: moment }),
]);

const orderedRestore = z.object({ succeeded: z.boolean(), backup: text.nullable(), by: person });
const unexpectedRestore = z.object({
  /** Null when the tenant started with a new state. */
  backup: z.object({ createdAt: moment, bytes: z.number() }).nullable(),
  /** When the gateway was found to have ended; null after an ordered end. */
  endedAt: moment.nullable(),
  /** When the newest damaged backup was made; null without one. */
  damaged: moment.nullable(),
});

const serviceToken = z.object({ name: text, role: z.enum(["ADMIN", "BASE_USER"]), user: text, by: person });
/** Of OpenClaw. */
const pairedDevice = z.object({
  /** Its name, or what else identifies it. */
  device: text,
  platform: text.nullable(),
  at: moment,
  /** Whether it waits for approval. */
  waits: z.boolean(),
});

/** Writes the text of a kind from its data. */
type Writer = (data: unknown, client: string) => NotificationText;

function writer<T>(schema: z.ZodType<T>, write: (data: T, client: string) => NotificationText): Writer {
  return (data, client) => write(schema.parse(data), client);
}

const WRITERS: Readonly<Record<SentKind, Writer>> = {
  not_running: writer(trouble, (data, client) =>
    data.what === "began"
      ? {
          subject: `${client} is not running`,
          details: [
            `Its gateway has not been alive for five minutes; this was found on ${data.since}.`,
            "Restart it in the console. If that does not help, ask your operator.",
          ],
        }
      : {
          subject: `${client} runs again`,
          details: [`It was not running from ${data.since} to ${data.until}.`],
        },
  ),
  restore: writer(z.union([orderedRestore, unexpectedRestore]), (data, client) =>
    "by" in data ? orderedRestoreText(data, client) : unexpectedRestoreText(data, client),
  ),
  backup_failed: writer(trouble, (data, client) =>
    data.what === "began"
      ? {
          subject: `The backup of ${client} failed`,
          details: [
            `It was found on ${data.since}. Changes since the last backup would be lost with the disk.`,
            "The platform tries again. The console shows the reason.",
          ],
        }
      : {
          subject: `Backups of ${client} succeed again`,
          details: [`They failed from ${data.since} to ${data.until}.`],
        },
  ),
  cap: writer(
    z.object({ of: z.enum(["credit", "ai_spend"]), percent: z.int(), used_micros: micros, cap_micros: micros }),
    ({ of, percent, used_micros, cap_micros }, client) => ({
      subject: `${client} has used ${percent} % of its ${of === "credit" ? "credit" : "limit for models"}`,
      details: [
        of === "credit"
          ? `${used_micros} of ${cap_micros} are used since the last top-up.`
          : `${used_micros} of ${cap_micros} are spent at model providers in 30 days.`,
        AFTER_CAP[of][percent >= 100 ? "full" : "near"],
      ],
    }),
  ),
  new_device: writer(z.union([serviceToken, pairedDevice]), (data, client) =>
    "by" in data ? serviceTokenText(data, client) : pairedDeviceText(data, client),
  ),
  new_version: writer(
    z.object({ what: z.enum(["available", "installed"]), gateway: text, version: text }),
    ({ what, gateway, version }, client) =>
      what === "available"
        ? {
            subject: `A new version for ${client} is available`,
            details: [`The new version is ${gateway} ${version}. The console shows when it will be installed.`],
          }
        : {
            subject: `${client} has a new version`,
            details: [`It now runs ${gateway} ${version}.`],
          },
  ),
  invoice: writer(
    z.object({ from: text, to: text, total_micros: micros, currency: z.literal("USD") }),
    ({ from, to, total_micros }, client) => ({
      subject: `New invoice for ${client}`,
      details: [`The invoice for ${from} to ${to} is ${total_micros}. The console shows its lines.`],
    }),
  ),
  [TEST_KIND]: (_, client) => ({
    subject: `Test notification of ${client}`,
    details: ["You requested it in the console. Notifications arrive by this channel."],
  }),
};

function orderedRestoreText(data: z.output<typeof orderedRestore>, client: string): NotificationText {
  if (data.succeeded)
    return {
      subject: `A backup of ${client} was restored`,
      details: [
        `${data.by} restored the backup ${data.backup ?? "(unknown)"}.`,
        "What changed after that backup is no longer in use.",
      ],
    };
  return {
    subject: `A restore of ${client} failed`,
    details: [
      `${data.by} ordered the backup ${data.backup ?? "(unknown)"}.`,
      "Open the console to see the present state, or ask your operator.",
    ],
  };
}

function unexpectedRestoreText(data: z.output<typeof unexpectedRestore>, client: string): NotificationText {
  const { backup, endedAt, damaged } = data;
  const until = endedAt ?? damaged;
  return {
    subject: backup ? `A backup of ${client} was restored without an order` : `${client} started without its state`,
    details: [
      ...(endedAt === null
        ? []
        : [`Its gateway ended unexpectedly and its disk was lost; this was found on ${endedAt}.`]),
      ...(damaged === null ? [] : [`The backup of ${damaged} is damaged.`]),
      backup
        ? `The backup of ${backup.createdAt} was restored (${bytesText(backup.bytes)}).`
        : "No backup could be restored.",
      backup ? `Changes between ${backup.createdAt} and ${until} may be lost.` : `Changes before ${until} may be lost.`,
      `Check in the console what is missing. ${damaged === null ? "For help, ask your operator." : "Ask your operator about the damaged backup, which is kept."}`,
    ],
  };
}

function serviceTokenText(data: z.output<typeof serviceToken>, client: string): NotificationText {
  const { name, role, user, by } = data;
  return {
    subject: `New service token for ${client}`,
    details: [
      `${by} created the service token "${name}" for ${user}. A program or device with it reaches ${client} as this user, with the rights of ${role === "ADMIN" ? "an administrator" : "a user who may only chat"}.`,
      "If you did not expect this, revoke the token in the console.",
    ],
  };
}

function pairedDeviceText(data: z.output<typeof pairedDevice>, client: string): NotificationText {
  const { device, platform, at, waits } = data;
  const named = platform === null ? `The device "${device}"` : `The device "${device}" (${platform})`;
  return waits
    ? {
        subject: `A new device waits for approval at ${client}`,
        details: [
          `${named} asked on ${at} to be paired in OpenClaw. It has no access yet.`,
          "Approve or reject it in the console, on the page People. Approve only what you or your colleagues started.",
        ],
      }
    : {
        subject: `A new device is paired with ${client}`,
        details: [
          `${named} was paired in OpenClaw on ${at}. It does not wait for approval.`,
          "If you did not expect this, remove it in the console, on the page People.",
        ],
      };
}

const AFTER_CAP = {
  credit: {
    near: "Top up the credit in time, or ask your operator.",
    full: "Without a top-up, the tenant is frozen after seven days.",
  },
  ai_spend: {
    near: "At 100 %, calls of models are refused.",
    full: "Calls of models are refused until spending of the last 30 days is below the limit, or the limit is raised.",
  },
} as const;

/** Returns the text of a notification; only its kind's name if the data has another form, such as a later version's. */
export function notificationText(kind: string, data: unknown, clientName: string): NotificationText {
  const client = oneLine(clientName);
  const write = Object.hasOwn(WRITERS, kind) ? WRITERS[kind as SentKind] : undefined;
  try {
    if (write !== undefined) return write(data, client);
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
  }
  return { subject: `${client}: ${labelOf(kind)}`, details: ["The console shows the details."] };
}

export const labelOf = (kind: string): string =>
  Object.hasOwn(NOTIFICATION_KINDS, kind) ? NOTIFICATION_KINDS[kind as NotificationKind].label : "Notification";

export function momentText(at: Date): string {
  const format = new Intl.DateTimeFormat("en-GB", { dateStyle: "full", timeStyle: "short", timeZone: "UTC" });
  return `${format.format(at)} (UTC)`;
}

function dollarsText(amount: number): string {
  return new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" }).format(amount / 1_000_000);
}

const BYTE_UNITS = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;

function bytesText(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), BYTE_UNITS.length - 1);
  const options = { style: "unit", unit: BYTE_UNITS[power], maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat("en-US", options).format(bytes / 1000 ** power);
}
