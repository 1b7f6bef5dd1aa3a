import { randomBytes } from "node:crypto";

export { randomUUID as uuid } from "node:crypto";

/** 32 hexadecimal digits. */
export function hexId(): string {
  return randomBytes(16).toString("hex");
}

export function currentTimestamp(): string {
  return new Date().toISOString();
}

/** Matches identifiers of {@link hexId} and {@link uuid} in a text. */
export const generatedId = /\b([0-9a-f]{32}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})\b/g;
