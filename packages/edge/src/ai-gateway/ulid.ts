import { randomBytes } from "node:crypto";

const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** Returns an id of a log entry in the vendor's format, which sorts by time. @param now milliseconds since the epoch */
export function createUlid(now: number): string {
  let time = "";
  for (let rest = now, digit = 0; digit < 10; digit += 1, rest = Math.floor(rest / 32)) {
    time = DIGITS.charAt(rest % 32) + time;
  }
  return time + Array.from(randomBytes(16), (byte) => DIGITS.charAt(byte % 32)).join("");
}
