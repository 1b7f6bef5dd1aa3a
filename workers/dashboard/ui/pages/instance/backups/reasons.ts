import type { Backup } from "./backups.ts";

const REASONS: Readonly<Record<Backup["reason"], string>> = {
  scheduled: "Scheduled",
  requested: "Requested",
  accepted: "Present state confirmed",
  before_upgrade: "Before an upgrade",
  before_restore: "Before a restore",
  before_sleep: "Before sleep",
  before_stop: "Before the agent was stopped",
  restored: "After a restore",
  uploaded: "Uploaded",
  unknown: "Unknown",
};

/** Why a backup was made, and who requested it. */
export const reasonInWords = ({ reason, by }: Pick<Backup, "reason" | "by">): string =>
  by === null ? REASONS[reason] : `${REASONS[reason]} by ${by}`;

interface Retention {
  count: number;
  days: number;
  bytes: number | null;
  kept: number;
}

/** The rules by which backups are removed. @param sizeOf formats bytes */
export const retentionInWords = ({ count, days, bytes, kept }: Retention, sizeOf: (bytes: number) => string): string =>
  [
    `The newest ${count} backups stay, each for ${days} days${bytes === null ? "" : `, and together at most ${sizeOf(bytes)}`}.`,
    `The newest one always stays. You can keep ${kept} more for as long as you want; they count toward the size.`,
    `Uploaded backups stay for ${days} days.`,
  ].join(" ");
