/** What a client's ADMINs are notified of, and by which channels. */
import * as z from "zod";

export const notificationKinds = [
  "not_running",
  "restore",
  "backup_failed",
  "cap",
  "new_device",
  "new_version",
  "invoice",
] as const;
export type NotificationKind = (typeof notificationKinds)[number];

/** `daily`: with others in one mail a day. */
export const mailChoices = ["off", "at_once", "daily"] as const;

const choice = z.object({ mail: z.enum(mailChoices), webhook: z.boolean() });
export type NotificationChoice = z.infer<typeof choice>;

interface KindTerms {
  /** Name for people. */
  readonly label: string;
  /** Default choice of mails. */
  readonly mail: NotificationChoice["mail"];
}

export const NOTIFICATION_KINDS: Readonly<Record<NotificationKind, KindTerms>> = {
  not_running: { label: "Not running for five minutes", mail: "at_once" },
  restore: { label: "Backup restored", mail: "at_once" },
  backup_failed: { label: "Backup failed", mail: "at_once" },
  cap: { label: "80 % and 100 % of the cap used", mail: "at_once" },
  new_device: { label: "New device or service token", mail: "at_once" },
  new_version: { label: "New version", mail: "daily" },
  invoice: { label: "New invoice", mail: "at_once" },
};

/** A user's choice of each kind. */
export const notificationChoices = z.record(z.enum(notificationKinds), choice);
/** Choices of some kinds. */
export const changedChoices = z.partialRecord(z.enum(notificationKinds), choice);
export type NotificationChoices = z.infer<typeof notificationChoices>;

/** The choices that are stored; those of an unknown kind or form are ignored. */
const stored = z.record(z.string(), choice.partial().catch({})).catch({});

/** Returns a user's choice of each kind. @param choices as stored; what is missing has its default */
export function completeChoices(choices: unknown): NotificationChoices {
  const read = stored.parse(choices);
  const entries = notificationKinds.map((kind) => [
    kind,
    { mail: NOTIFICATION_KINDS[kind].mail, webhook: false, ...read[kind] },
  ]);
  return Object.fromEntries(entries) as NotificationChoices;
}

const known = z.enum(notificationKinds);

/**
 * Returns a user's choice of a kind; undefined for a kind that this release does not have.
 *
 * @param choices as stored
 * @param isDisabled whether the user's webhook is disabled: mails then replace it
 */
export function effectiveChoice(choices: unknown, kind: string, isDisabled: boolean): NotificationChoice | undefined {
  const of = known.safeParse(kind).data;
  if (of === undefined) return undefined;
  const { mail, webhook } = completeChoices(choices)[of];
  return { mail: mail === "off" && webhook && isDisabled ? "at_once" : mail, webhook };
}

/** UTC hour in which digests are sent. */
export const DIGEST_HOUR = 7;
/** Days of failing deliveries after which a webhook is disabled. */
export const WEBHOOK_FAILING_DAYS = 3;
