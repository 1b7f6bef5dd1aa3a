/** A drain over the real store, with a gateway that tests control. Use virtual time from {@link BEGIN}. */
import { vi } from "vitest";
import { sqlStore } from "../../metrics/testing/sql-store.ts";
import { Drain } from "../drain.ts";
import type { Outcome } from "../outcome.ts";
import type { MessageRow } from "../rows.ts";
import { InboxStore } from "../store.ts";
import { attemptsFor } from "../targets.ts";
import { bytesOf, delivery } from "./deliveries.ts";

export const BEGIN = Date.parse("2026-11-26T12:00:00Z");

export const accepted: Outcome = { outcome: "accepted" };
export const unreachable: Outcome = { outcome: "unreachable" };
export const status = (code: number, retryAfterMs = 0): Outcome => ({
  outcome: "failed",
  failure: { reason: "status", status: code },
  maxAttempts: attemptsFor(code),
  retryAfterMs,
});

export function openDrain({ random = 1 } = {}) {
  const storage = sqlStore();
  const gateway = {
    isReady: true,
    isStarting: false,
    isHeld: false,
    checks: 0,
    /** Attempts in their order, with the seconds since the begin. */
    attempts: [] as string[],
    inProgress: 0,
    most: 0,
    answer: async (_message: MessageRow): Promise<Outcome> => accepted,
    /** IDs of gateways that ended. */
    ended: [] as string[],
  };
  const events: string[] = [];
  const build = () => {
    const store = new InboxStore(storage, 1_000);
    const drain = new Drain({
      store,
      send: async (message) => {
        gateway.attempts.push(`${message.event_id}@${(Date.now() - BEGIN) / 1000}`);
        gateway.most = Math.max(gateway.most, ++gateway.inProgress);
        try {
          return await gateway.answer(message);
        } finally {
          gateway.inProgress -= 1;
        }
      },
      gateway: {
        get running() {
          return `gateway-${gateway.ended.length}`;
        },
        hasEnded: async (id) => gateway.ended.includes(id),
      },
      isHeld: async () => gateway.isHeld,
      checkReady: async () => {
        gateway.checks += 1;
        if (gateway.isReady) return "ready";
        return gateway.isStarting ? "starting" : "stopped";
      },
      record: (event, details) => events.push(`${event} ${JSON.stringify(details)}`),
      count: (outcome) => events.push(outcome),
      waitUntil: () => {},
      random: () => random,
    });
    return { store, drain };
  };
  const { store, drain } = build();
  const add = (eventId: string, conversation: string | null = null) => {
    store.add(delivery(eventId, { conversation }), { bytes: bytesOf(eventId) }, eventId.length, Date.now());
    drain.kick();
  };
  /** Lets the time pass, and rings the alarm as the object does. */
  const pass = async (ms: number) => {
    const end = Date.now() + ms;
    for (;;) {
      const wait = await drain.wait();
      const left = end - Date.now();
      if (wait === undefined || wait > left) break;
      await vi.advanceTimersByTimeAsync(wait);
      drain.kick();
    }
    await vi.advanceTimersByTimeAsync(end - Date.now());
  };
  const states = () => store.list(["queued", "delivering", "accepted", "dead"], 0, 100).map(({ state }) => state);
  return { gateway, events, store, drain, build, add, pass, states };
}
