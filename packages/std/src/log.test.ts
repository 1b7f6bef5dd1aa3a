import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openFileLog } from "./log.ts";

function temporary(): string {
  const directory = mkdtempSync(join(tmpdir(), "log-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return join(directory, "edge.log");
}

const events = (path: string) =>
  readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line).event);

test("appends a line per event to a file that its owner alone can read", () => {
  const path = temporary();
  for (const event of ["first", "second"]) {
    const { log, close } = openFileLog(path);
    log("test", event, { count: 1 });
    close();
  }
  expect(events(path)).toEqual(["first", "second"]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("stores at most twice its limit and keeps the newest events", () => {
  const path = temporary();
  const { log, close } = openFileLog(path, 1000);
  for (let number = 0; number < 100; number += 1) log("test", `event-${number}`);
  close();
  expect(statSync(path).size + statSync(`${path}.1`).size).toBeLessThanOrEqual(2000);
  const kept = [...events(`${path}.1`), ...events(path)];
  expect(kept.at(-1)).toBe("event-99");
  expect(kept).toEqual(Array.from({ length: kept.length }, (_, index) => `event-${100 - kept.length + index}`));
});
