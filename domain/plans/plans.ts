/**
 * The billing plans (spec: "Plan limits"). All code derives from this table: a new plan is a new entry here. Then run
 * `npm run database:schema` and `npm run settings:schema`.
 */
import type { EgressMode } from "../egress/policy-types.ts";
import type { InstanceType } from "../tenants/instance-type.ts";

const GB = 1_000_000_000;
const MINUTE = 60;
const DOLLAR = 1_000_000n;

/** Default interval between backups in seconds. */
export const BACKUP_INTERVAL_SECONDS = 15 * MINUTE;

export interface PlanTerms {
  /** Name in the dashboard. */
  readonly label: string;
  /** CPU time of one request, in milliseconds. */
  readonly cpuMs: number;
  /** Subrequests of one request. */
  readonly subrequests: number;
  /** Default instance type of the container. */
  readonly container: InstanceType;
  /** Whether the policy `plan-limits` accepts a larger container. */
  readonly acceptsLargerContainer: boolean;
  /** Backup storage in bytes; `undefined` if agreed per customer. */
  readonly storageBytes: number | undefined;
  /** Seconds between backups of a running gateway. */
  readonly backupIntervalSeconds: number;
  /** Seconds without traffic after which the container sleeps; `undefined` if it never sleeps. */
  readonly sleepAfterSeconds: number | undefined;
  /** Whether the container sleeps while its gateway holds channels connected (Telegram, a Slack socket). These receive nothing during sleep. */
  readonly sleepsWithChannels: boolean;
  /** Doors, the public webhook endpoints, of an instance. */
  readonly doors: number;
  /** Messages in the inbox, pending and dead together. */
  readonly inboxMessages: number;
  /** Weakest mode of what containers may reach. */
  readonly egress: EgressMode;
  /** Default spend limit at the AI gateway, in US dollars per 30 days; null: no limit. */
  readonly aiSpendUsd: number | null;
  /** Initial monthly fee in micro-units. */
  readonly monthlyFeeMicros: bigint;
  /** Whether usage is initially free. */
  readonly usageIsFree: boolean;
}

export const PLANS = {
  free: {
    label: "Free",
    cpuMs: 10_000,
    subrequests: 10,
    container: "lite",
    acceptsLargerContainer: false,
    storageBytes: 2 * GB,
    backupIntervalSeconds: BACKUP_INTERVAL_SECONDS,
    sleepAfterSeconds: 10 * MINUTE,
    sleepsWithChannels: true,
    doors: 2,
    inboxMessages: 1_000,
    egress: "open",
    aiSpendUsd: 5,
    monthlyFeeMicros: 0n,
    usageIsFree: true,
  },
  basic: {
    label: "Basic",
    cpuMs: 30_000,
    subrequests: 50,
    container: "standard-1",
    acceptsLargerContainer: false,
    storageBytes: 8 * GB,
    backupIntervalSeconds: BACKUP_INTERVAL_SECONDS,
    sleepAfterSeconds: 30 * MINUTE,
    sleepsWithChannels: false,
    doors: 10,
    inboxMessages: 5_000,
    egress: "open",
    aiSpendUsd: 50,
    monthlyFeeMicros: 29n * DOLLAR,
    usageIsFree: false,
  },
  pro: {
    label: "Pro",
    cpuMs: 50_000,
    subrequests: 100,
    container: "standard-2",
    acceptsLargerContainer: false,
    storageBytes: 12 * GB,
    backupIntervalSeconds: BACKUP_INTERVAL_SECONDS,
    sleepAfterSeconds: 120 * MINUTE,
    sleepsWithChannels: false,
    doors: 50,
    inboxMessages: 20_000,
    egress: "open",
    aiSpendUsd: 200,
    monthlyFeeMicros: 99n * DOLLAR,
    usageIsFree: false,
  },
  enterprise: {
    label: "Enterprise",
    cpuMs: 90_000,
    subrequests: 1_000,
    container: "standard-3",
    acceptsLargerContainer: true,
    storageBytes: undefined,
    backupIntervalSeconds: BACKUP_INTERVAL_SECONDS,
    sleepAfterSeconds: undefined,
    sleepsWithChannels: false,
    doors: 500,
    inboxMessages: 100_000,
    egress: "open",
    aiSpendUsd: null,
    monthlyFeeMicros: 499n * DOLLAR,
    usageIsFree: false,
  },
} as const satisfies Readonly<Record<string, PlanTerms>>;
