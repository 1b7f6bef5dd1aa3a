/** The query text never reaches a database. Cloudflare: developers.cloudflare.com/analytics/analytics-engine/sql-api/ */
import type { Analytics } from "../data-points.ts";
import { type Answer, formatTable } from "./answers/answer.ts";
import { Budget, LIMITS, type Limits } from "./budget.ts";
import { parseStatement } from "./reading/statement.ts";
import type { Statement } from "./reading/syntax.ts";
import { datasetTable } from "./running/dataset.ts";
import { runSelect, type World } from "./running/select.ts";
import type { Table } from "./running/source.ts";
import { STRING, UTC } from "./values/types.ts";
import { ZONES } from "./values/zones.ts";

/** @param now milliseconds since the epoch @throws SqlError for an invalid query, or one that exceeds a limit */
export async function runSql(sql: string, analytics: Analytics, now: number, limits: Limits = LIMITS): Promise<Answer> {
  const { query, format } = parseStatement(sql);
  const budget = new Budget(limits);
  const world: World = {
    table: (name) => datasetTable(analytics, name),
    now: BigInt(Math.floor(now / 1000)),
    budget,
  };
  const table = query.kind === "select" ? await runSelect(query, world) : runShow(query.what, analytics);
  return formatTable(format, table, budget);
}

function runShow(what: Extract<Statement["query"], { kind: "show" }>["what"], analytics: Analytics): Table {
  if (what === "TABLES") return listTable("dataset", analytics.datasets());
  return listTable("timezone", what === "TIMEZONES" ? ZONES : [UTC]);
}

function listTable(name: string, texts: readonly string[]): Table {
  return { columns: [{ name, type: STRING }], rows: texts.map((text) => [text]), rowsBeforeLimit: texts.length };
}
