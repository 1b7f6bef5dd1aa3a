import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { Analytics } from "../../data-points.ts";
import { writePoint } from "../../testing/points.ts";
import { LIMITS, type Limits } from "../budget.ts";
import { runSql } from "../run.ts";

const NOW = Date.parse("2026-11-20T12:34:56.789Z");
const MINUTE = 60_000;

interface Json {
  meta: { name: string; type: string }[];
  data: Record<string, unknown>[];
  rows: number;
}

/** Opens the datasets `weather` and `other-set` for the tests of a file. */
export function weatherQueries() {
  let directory: string;
  let analytics: Analytics;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "analytics-sql-"));
    analytics = new Analytics(directory, { now: () => NOW });
    const points = [
      { at: NOW - 4 * MINUTE, index: "b", blobs: ["rain", "Zürich"], doubles: [4, 1], sampleInterval: 10 },
      { at: NOW - 3 * MINUTE, index: "a", blobs: ["sun", "Łódź"], doubles: [1, 0], sampleInterval: 1 },
      { at: NOW - 2 * MINUTE, index: "a", blobs: ["rain", "100%"], doubles: [2.5, 0], sampleInterval: 1 },
      {
        at: NOW - 90 * 24 * 60 * MINUTE,
        index: "c",
        blobs: ["snow", 'it\'s\t"so"\n'],
        doubles: [-3, 2],
        sampleInterval: 2,
      },
    ];
    for (const point of points) writePoint(analytics, "weather", point);
    writePoint(analytics, "other-set", { at: NOW, blobs: ["elsewhere"] });
  });
  afterAll(async () => {
    analytics.close();
    await rm(directory, { recursive: true });
  });

  const run = (sql: string, limits: Partial<Limits> = {}) => runSql(sql, analytics, NOW, { ...LIMITS, ...limits });
  const ask = async (sql: string, limits?: Partial<Limits>) => JSON.parse((await run(sql, limits)).body) as Json;
  return {
    run,
    ask,
    data: async (sql: string) => (await ask(sql)).data,
    /** Returns the message of the SqlError. */
    refusal: (sql: string, limits?: Partial<Limits>) =>
      run(sql, limits).then(
        () => "answered",
        (error: unknown) =>
          error instanceof Error && error.name === "SqlError" ? error.message : `broke: ${String(error)}`,
      ),
  };
}
