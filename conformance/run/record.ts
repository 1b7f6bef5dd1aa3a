/** What accounts showed, by day, in `conformance/records/`. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { type Outcome, statuses } from "./outcome.ts";

export const RECORDS = join(import.meta.dirname, "../records");

const recordedCase = z.strictObject({
  status: z.enum(statuses),
  message: z.string().exactOptional(),
  duration_ms: z.number(),
  propagation_ms: z.record(z.string(), z.number()),
});
const record = z.strictObject({ date: z.iso.date(), cases: z.record(z.string(), recordedCase) });
export type ConformanceRecord = z.infer<typeof record>;

/** Returns the records of a directory, the oldest first. @throws Error for an invalid record */
export function readRecords(directory: string): ConformanceRecord[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory)
    .filter((name) => name.endsWith(".json"))
    .toSorted()
    .map((name) => record.parse(JSON.parse(readFileSync(join(directory, name), "utf8"))));
}

/** Adds outcomes to the record of a day. @param redact removes what identifies the account @returns the file's path */
export function writeRecord(
  directory: string,
  date: string,
  outcomes: readonly Outcome[],
  redact: (text: string) => string,
): string {
  mkdirSync(directory, { recursive: true });
  const path = join(directory, `${date}.json`);
  const before = existsSync(path) ? record.parse(JSON.parse(readFileSync(path, "utf8"))).cases : {};
  const added = outcomes.map(({ id, status, message, durationMs, propagationMs }) => [
    id,
    {
      status,
      ...(message !== undefined && { message: redact(message) }),
      duration_ms: durationMs,
      propagation_ms: propagationMs,
    },
  ]);
  const cases = { ...before, ...Object.fromEntries(added) };
  writeFileSync(path, `${JSON.stringify({ date, cases }, null, 2)}\n`);
  return path;
}
