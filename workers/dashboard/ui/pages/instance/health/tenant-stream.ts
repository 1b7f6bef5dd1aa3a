/** A tenant's own health stream (`GET /api/health/ws`), passive always: whoever looks at a page wakes nobody. */
import { type HealthSnapshot, healthSnapshot } from "#workers/contracts/tenant/health-snapshot.ts";

/** Between two attempts, in milliseconds: twice as long each time. */
const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 60_000;
/** A snapshot comes every five seconds; a stream that says nothing for so long is taken for dead, in milliseconds. */
const SILENCE_MS = 20_000;

/** `polling`: there is no stream just now, so that the API is asked instead. */
export type StreamState = "connecting" | "live" | "polling";

export interface Told {
  state: StreamState;
  /** The latest; undefined while there is no stream. */
  snapshot?: HealthSnapshot;
}

/**
 * Follows it while the page is seen, and tries again with growing pauses when it ends.
 *
 * @param address of the tenant: scheme `ws` or `wss`, host and port
 * @returns what ends it
 */
export function followTenant(address: string, tell: (told: Told) => void): () => void {
  const url = new URL("/api/health/ws?passive=1", address);
  let socket: WebSocket | undefined;
  let pause = FIRST_PAUSE_MS;
  let again: ReturnType<typeof setTimeout> | undefined;
  let silence: ReturnType<typeof setTimeout> | undefined;

  const drop = () => {
    clearTimeout(again);
    clearTimeout(silence);
    const dropped = socket;
    socket = undefined;
    dropped?.close();
  };
  const broken = () => {
    drop();
    tell({ state: "polling" });
    again = setTimeout(connect, pause);
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
  };
  const listenOn = () => {
    clearTimeout(silence);
    silence = setTimeout(broken, SILENCE_MS);
  };
  function connect() {
    const opened = new WebSocket(url);
    socket = opened;
    listenOn();
    opened.addEventListener("message", ({ data }) => {
      if (opened !== socket) return;
      const snapshot = healthSnapshot.safeParse(json(data)).data;
      if (snapshot === undefined) return broken();
      pause = FIRST_PAUSE_MS;
      listenOn();
      tell({ state: "live", snapshot });
    });
    opened.addEventListener("close", () => {
      if (opened === socket) broken();
    });
  }
  const seen = () => {
    drop();
    // A tenant has so many places for listeners, which pages that nobody sees leave to others.
    if (document.hidden) tell({ state: "connecting" });
    else connect();
  };
  document.addEventListener("visibilitychange", seen);
  seen();
  return () => {
    document.removeEventListener("visibilitychange", seen);
    drop();
  };
}

function json(data: unknown): unknown {
  try {
    return typeof data === "string" ? JSON.parse(data) : undefined;
  } catch {
    return undefined;
  }
}
