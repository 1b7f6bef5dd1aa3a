/** A tenant's health stream (`GET /api/health/ws`), always passive so that viewing a page wakes no tenant. */
import { type HealthSnapshot, healthSnapshot } from "#workers/contracts/tenant/health-snapshot.ts";

/** Delay between attempts, in milliseconds; doubles each time. */
const FIRST_DELAY_MS = 2_000;
const MAX_DELAY_MS = 60_000;
/** Snapshots arrive every 5 s; a stream without one for this long counts as dead. */
const SILENCE_MS = 20_000;

/** `polling`: no stream is available, so the API is polled instead. */
export type StreamState = "connecting" | "live" | "polling";

export interface StreamUpdate {
  state: StreamState;
  snapshot?: HealthSnapshot;
}

/** Follows the stream while the page is visible, and reconnects with growing delays. Returns a function that stops it. */
export function followTenant(address: string, onUpdate: (update: StreamUpdate) => void): () => void {
  const url = new URL("/api/health/ws?passive=1", address);
  let socket: WebSocket | undefined;
  let delay = FIRST_DELAY_MS;
  let retryTimer: ReturnType<typeof setTimeout> | undefined;
  let silenceTimer: ReturnType<typeof setTimeout> | undefined;

  const drop = () => {
    clearTimeout(retryTimer);
    clearTimeout(silenceTimer);
    const dropped = socket;
    socket = undefined;
    dropped?.close();
  };
  const reconnect = () => {
    drop();
    onUpdate({ state: "polling" });
    retryTimer = setTimeout(connect, delay);
    delay = Math.min(delay * 2, MAX_DELAY_MS);
  };
  const awaitMessage = () => {
    clearTimeout(silenceTimer);
    silenceTimer = setTimeout(reconnect, SILENCE_MS);
  };
  function connect() {
    const opened = new WebSocket(url);
    socket = opened;
    awaitMessage();
    opened.addEventListener("message", ({ data }) => {
      if (opened !== socket) return;
      const snapshot = healthSnapshot.safeParse(parseJson(data)).data;
      if (snapshot === undefined) return reconnect();
      delay = FIRST_DELAY_MS;
      awaitMessage();
      onUpdate({ state: "live", snapshot });
    });
    opened.addEventListener("close", () => {
      if (opened === socket) reconnect();
    });
  }
  const onVisibility = () => {
    drop();
    // Hidden pages leave the limited listener slots of a tenant to others.
    if (document.hidden) onUpdate({ state: "connecting" });
    else connect();
  };
  document.addEventListener("visibilitychange", onVisibility);
  onVisibility();
  return () => {
    document.removeEventListener("visibilitychange", onVisibility);
    drop();
  };
}

function parseJson(data: unknown): unknown {
  try {
    return typeof data === "string" ? JSON.parse(data) : undefined;
  } catch {
    return undefined;
  }
}
