/** Alarms of Durable Objects, as workerd stores them in `metadata.sqlite` of each class. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** Returns when the next alarm of a cell is due, in milliseconds since the epoch. @param directory of the cell, with a folder per class */
export function nextAlarm(directory: string): number | undefined {
  if (!existsSync(directory)) return undefined;
  const paths = readdirSync(directory).map((name) => join(directory, name, "metadata.sqlite"));
  const times = paths
    .filter((path) => existsSync(path))
    .map(earliestIn)
    .filter((time) => time !== undefined);
  return times.length === 0 ? undefined : Math.min(...times);
}

function earliestIn(path: string): number | undefined {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const [table] = database.prepare("select name from sqlite_master where name = '_cf_ALARM'").all();
    if (table === undefined) return undefined;
    // Nanoseconds exceed the precision of a number.
    const row = database.prepare("select min(scheduled_time) / 1000000 as due from _cf_ALARM").get();
    return typeof row?.due === "number" ? row.due : undefined;
  } finally {
    database.close();
  }
}
