import { randomBytes } from "node:crypto";

export { randomUUID as uuid } from "node:crypto";

/** 32 hexadecimal digits. */
export function hexId(): string {
  return randomBytes(16).toString("hex");
}

export function currentTimestamp(): string {
  return new Date().toISOString();
}
