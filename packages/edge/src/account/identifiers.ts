import { randomBytes, randomUUID } from "node:crypto";

/** 32 hexadecimal digits. */
export function hexId(): string {
  return randomBytes(16).toString("hex");
}

export function uuid(): string {
  return randomUUID();
}

export function now(): string {
  return new Date().toISOString();
}
