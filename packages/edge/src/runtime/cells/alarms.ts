/** Durable Object alarms that wait in a cell's directory, so that a cell that has ended can be woken in time. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/**
 * When the next alarm of any class is due.
 * @param directory a cell's, with one folder a class, in which workerd keeps `metadata.sqlite`
 * @returns milliseconds since the epoch; nothing when no alarm is set
 */
export function nextAlarm(directory: string): number | undefined {
  if (!existsSync(directory)) return undefined;
  const times = readdirSync(directory)
    .map((name) => join(directory, name, "metadata.sqlite"))
    .filter((path) => existsSync(path))
    .map(earliest)
    .filter((time) => time !== undefined);
  return times.length === 0 ? undefined : Math.min(...times);
}

function earliest(path: string): number | undefined {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const [table] = database.prepare("select name from sqlite_master where name = '_cf_ALARM'").all();
    if (table === undefined) return undefined;
    // Nanoseconds, more than a number holds.
    const row = database.prepare("select min(scheduled_time) / 1000000 as due from _cf_ALARM").get();
    return typeof row?.due === "number" ? row.due : undefined;
  } finally {
    database.close();
  }
}
