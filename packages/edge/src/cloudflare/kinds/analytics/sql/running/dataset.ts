/** Cloudflare: developers.cloudflare.com/analytics/analytics-engine/sql-api/#table-structure */
import { numberVector, type Vector } from "../../batch.ts";
import { COLUMNS, type Column, isText } from "../../columns.ts";
import type { Analytics } from "../../data-points.ts";
import { invalidInput } from "../sql-error.ts";
import { DATE_TIME, DOUBLE, type SqlType, STRING, UINT32 } from "../values/types.ts";
import type { Source } from "./source.ts";

const TYPES: ReadonlyMap<string, SqlType> = new Map(COLUMNS.map((name) => [name, typeOf(name)]));

function typeOf(name: Column): SqlType {
  if (name === "timestamp") return DATE_TIME;
  if (name === "_sample_interval") return UINT32;
  return isText(name) ? STRING : DOUBLE;
}

const isColumn = (name: string): name is Column => TYPES.has(name);

export function datasetTable(analytics: Analytics, name: string): Source {
  if (!analytics.datasets().includes(name)) throw invalidInput(`unknown table: ${name}`);
  return {
    columns: TYPES,
    batches: function* (needed, { from, to }) {
      const columns = needed.filter(isColumn);
      const since = from === undefined ? undefined : Number(from) * 1000;
      const before = to === undefined ? undefined : (Number(to) + 1) * 1000;
      for (const batch of analytics.batches(name, columns, { since, before })) {
        yield {
          ...batch,
          columns: batch.columns.map((vector, at) =>
            columns[at] === "timestamp" ? inSeconds(vector, batch.length) : vector,
          ),
        };
      }
    },
  };
}

function inSeconds(vector: Vector, length: number): Vector {
  if (vector.kind !== "numbers") return vector;
  const { values } = vector;
  // The batch is not shared.
  for (let at = 0; at < length; at += 1) values[at] = Math.floor((values[at] ?? 0) / 1000);
  return numberVector(values);
}
