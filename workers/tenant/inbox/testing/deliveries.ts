/** Deliveries for tests of the inbox. */
import type { InboxDelivery } from "#workers/contracts/tenant/inbox.ts";

export const DOOR = "0197f5d2-0000-7000-8000-000000000001";

/** Returns a delivery of a bearer door. */
export const delivery = (eventId: string, changed: Partial<InboxDelivery> = {}): InboxDelivery => ({
  door: DOOR,
  kind: "bearer",
  name: "builds",
  eventId,
  conversation: null,
  subpath: "",
  query: "",
  method: "POST",
  headers: [["content-type", "application/json"]],
  receivedAt: new Date().toISOString(),
  ...changed,
});

export const bytesOf = (text: string): ArrayBuffer => new TextEncoder().encode(text).buffer;
