/**
 * Measures a tenant's usage and writes it to the analytics dataset. Counts are stored in the same turn before they are written. A point leaves
 * the object only after the storage is durable, so nothing is written twice.
 */
import { dayOf } from "#domain/billing/billing-month.ts";
import type { BackupFailure } from "#workers/contracts/tenant/backup.ts";
import type { InboxStatus } from "#workers/contracts/tenant/inbox.ts";
import { AI_USAGE_AGE_MS, type AiQuery } from "#workers/contracts/tenant/metrics/ai-usage.ts";
import {
  type CostPoint,
  costPoint,
  MAX_POINTS,
  type Measurement,
} from "#workers/contracts/tenant/metrics/cost-metrics.ts";
import { type SandboxActivity, sandboxResources } from "#workers/contracts/tenant/sandbox.ts";
import type { SocketChannel } from "#workers/contracts/tenant/sandbox-status.ts";
import { SPENDING_CAP_DAYS, type SpendingCapOrder, spendingCapOrder } from "#workers/contracts/tenant/spending-cap.ts";
import { log } from "#workers/shared/log.ts";
import type { Transfer } from "../backup/stored/stored-backup.ts";
import type { HealthCheck } from "../health/check.ts";
import type { SqlStore } from "../storage.ts";
import type { AiUsagePoint } from "./ai-usage.ts";
import { advance } from "./series.ts";
import { type Counters, UsageStore } from "./usage-store.ts";

/** Minute of the last heartbeat: ISO 8601 UTC. */
const HEARTBEAT_MARK = "heartbeat";
/** The container's resources at the last heartbeat, as JSON. */
const RESOURCES_MARK = "resources";
/** The cap of spending on models, as JSON. */
const CAP_MARK = "spending-cap";
const DAY_MS = 86_400_000;

export interface UsageMeterOptions {
  storage: SqlStore;
  /** Writes a point to the dataset. Does not report failures. */
  write: (point: CostPoint) => void;
  tenant: string;
  environment: string;
}

export class UsageMeter {
  readonly #store: UsageStore;
  readonly #o: UsageMeterOptions;

  constructor(options: UsageMeterOptions) {
    this.#o = options;
    this.#store = new UsageStore(options.storage);
  }

  /**
   * Counts uptime, activity and WebSocket sessions since the last call. Counters may be repeated or arrive late. Call this before the
   * container sleeps, too.
   */
  record(activity: SandboxActivity): void {
    this.#logErrors(() => this.#record(activity));
  }

  #record(activity: SandboxActivity): void {
    this.#store.atomically(() => {
      const last = this.#store.counters(activity.wake) ?? { uptimeMs: 0, activeMs: 0, webSocketSessions: 0 };
      // Counters that arrive late are smaller.
      const seen: Counters = {
        uptimeMs: Math.max(last.uptimeMs, activity.uptimeMs),
        activeMs: Math.max(last.activeMs, activity.activeMs),
        webSocketSessions: Math.max(last.webSocketSessions, activity.webSocketSessions),
      };
      this.#store.setCounters(activity.wake, seen, Date.now());
      this.#add("container_uptime", (seen.uptimeMs - last.uptimeMs) / 1000);
      this.#add("container_activity", (seen.activeMs - last.activeMs) / 1000);
      this.#add("websocket_sessions", seen.webSocketSessions - last.webSocketSessions);
    });
    this.#flush();
  }

  /**
   * Counts a heartbeat while the container runs, once a minute, and what {@link record} counts.
   *
   * @param scheduledTime the minute: ISO 8601 UTC
   */
  tick(scheduledTime: string, check: HealthCheck): void {
    this.#logErrors(() => {
      this.#beat(new Date(scheduledTime).toISOString(), check);
      const { activity } = check;
      if (activity === undefined) this.#flush();
      else this.#record(activity);
    });
  }

  #beat(minute: string, { snapshot: { status }, resources = {} }: HealthCheck): void {
    if (status === "stopped" || minute <= (this.#store.mark(HEARTBEAT_MARK) ?? "")) return;
    this.#store.atomically(() => {
      this.#store.setMark(HEARTBEAT_MARK, minute);
      // Stored apart, since pending points are summed.
      this.#store.setMark(RESOURCES_MARK, JSON.stringify(resources));
      this.#add("container_heartbeat", 1, { status });
    });
  }

  /** Counts model queries and their tokens. @returns how many were left out, since too many series are active @throws when nothing was counted */
  countAiUsage(points: readonly AiUsagePoint[]): { left: number } {
    let left = 0;
    const now = Date.now();
    this.#store.atomically(() => {
      for (const point of points) {
        const last = this.#store.series(point.series);
        if (last === undefined && !this.#store.hasRoom(now)) {
          left += 1;
          continue;
        }
        const { increment, state } = advance(last, point);
        this.#store.setSeries(point.series, state, now);
        if (increment === 0) continue;
        const { quantity, operation, provider, model } = point;
        const dimensions = { environment: this.#o.environment, operation, provider, model };
        const counted = quantity === "queries" ? { value: increment } : { value: 0, [quantity]: increment };
        this.#store.add({ metric: "ai_queries", dimensions, ...counted });
      }
    });
    this.#flush();
    return { left };
  }

  /** Counts each query in the AI gateway's log once. @throws when nothing was counted */
  countAiQueries(queries: readonly AiQuery[]): void {
    const oldest = Date.now() - AI_USAGE_AGE_MS;
    // A query from before this storage existed belongs to an earlier tenant with this slug.
    const first = Math.max(oldest, this.#store.createdAt);
    this.#store.atomically(() => {
      for (const {
        id,
        at,
        operation,
        provider,
        model,
        inputTokens,
        outputTokens,
        cost,
        isOwnPayer,
        person,
      } of queries) {
        const began = Date.parse(at);
        if (began < first || !this.#store.addQuery(id, began)) continue;
        const dimensions = {
          ...{ environment: this.#o.environment, operation, provider, model },
          ...(person !== undefined && { person }),
        };
        this.#store.add({ metric: "ai_queries", dimensions, value: 1, inputTokens, outputTokens });
        if (cost === 0 || isOwnPayer === true) continue;
        this.#store.add({ metric: "ai_spend", dimensions, value: cost });
        this.#store.addSpending(dayOf(new Date(began)), cost);
      }
      this.#store.forgetQueries(oldest);
    });
    this.#flush();
  }

  /** Replaces the cap of spending on models. */
  setSpendingCap({ cap, days }: SpendingCapOrder): void {
    this.#store.atomically(() => {
      this.#store.setMark(CAP_MARK, JSON.stringify(cap));
      for (const { day, micros } of days) this.#store.raiseSpending(day, micros);
    });
  }

  /** Whether the spending of the last days has reached the cap. A cap of 0 permits no call. */
  isCapReached(): boolean {
    const cap = spendingCapOrder.shape.cap.parse(JSON.parse(this.#store.mark(CAP_MARK) ?? "null"));
    if (cap === null) return false;
    return this.#store.spentSince(dayOf(new Date(Date.now() - (SPENDING_CAP_DAYS - 1) * DAY_MS))) >= cap;
  }

  countTransfer({ direction, operation, bytes }: Transfer): void {
    this.#logErrors(() => {
      this.#add("object_storage_bandwidth", bytes, { direction, operation });
      this.#flush();
    });
  }

  /** Counts a failed backup or restore. */
  countFailure(failure: BackupFailure): void {
    this.#logErrors(() => {
      this.#add("backup_failures", 1, { status: failure });
      this.#flush();
    });
  }

  /** The next {@link tick} writes what is counted: messages may arrive many times a second. */
  countMessages(status: string, messages: number): void {
    this.#logErrors(() => this.#add("inbox_messages", messages, { status }));
  }

  /** As {@link countMessages}. */
  countEgress(status: "allowed" | "refused", requests: number): void {
    this.#logErrors(() => this.#add("egress_requests", requests, { status }));
  }

  /** Writes the state of the inbox. Not stored before: a later state replaces it. @param now milliseconds since the epoch */
  measureInbox({ pending, dead, oldestAt }: InboxStatus, now: number): void {
    const age = oldestAt === undefined ? 0 : (now - Date.parse(oldestAt)) / 1000;
    this.#logErrors(() => {
      this.#gauge("inbox_depth", pending, { status: "pending" });
      this.#gauge("inbox_depth", dead, { status: "dead" });
      this.#gauge("inbox_age", age);
    });
  }

  /** Writes which connections of socket channels failed. Not stored before, as the inbox. */
  measureChannels(failed: readonly Pick<SocketChannel, "messenger">[]): void {
    const messengers = new Set(failed.map(({ messenger }) => messenger));
    this.#logErrors(() => {
      for (const provider of messengers) {
        const connections = failed.filter(({ messenger }) => messenger === provider).length;
        this.#gauge("channel_failures", connections, { provider });
      }
    });
  }

  #gauge(metric: Measurement["metric"], value: number, dimensions: Measurement["dimensions"] = {}): void {
    const { environment, tenant, write } = this.#o;
    if (value > 0) write(costPoint(tenant, { metric, value, dimensions: { environment, ...dimensions } }));
  }

  #logErrors(work: () => void): void {
    try {
      work();
    } catch (error) {
      log("error", "usage.not-counted", { message: String(error) });
    }
  }

  #add(metric: Measurement["metric"], value: number, dimensions: Measurement["dimensions"] = {}): void {
    if (value > 0) this.#store.add({ metric, value, dimensions: { environment: this.#o.environment, ...dimensions } });
  }

  #withResources(measurement: Measurement): Measurement {
    if (measurement.metric !== "container_heartbeat") return measurement;
    const resources = sandboxResources.safeParse(JSON.parse(this.#store.mark(RESOURCES_MARK) ?? "{}")).data ?? {};
    return { ...measurement, resources };
  }

  /** Writes pending points, as many as one invocation may. The next call continues. */
  #flush(): void {
    for (const { key, measurement } of this.#store.pending(MAX_POINTS)) {
      try {
        this.#store.atomically(() => {
          this.#store.removePending(key);
          this.#o.write(costPoint(this.#o.tenant, this.#withResources(measurement)));
        });
      } catch (error) {
        log("error", "usage.not-written", { message: String(error) });
        return;
      }
    }
  }
}
