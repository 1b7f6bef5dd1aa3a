/** A page of 50 among 10,000 clients through the API, compared with its query alone. */
import pg from "pg";
import { listClients } from "#database/tenants/clients.ts";
import { asCaller, type Statement } from "#database/testing/as-caller.ts";
import { addClients } from "#database/testing/many-clients.ts";
import type { ApiUnderTest } from "#workers/dashboard/testing/start-api.ts";
import { AUDIENCE, DOMAIN } from "#workers/dashboard/testing/start-dashboard.ts";
import { Client, repeatCall } from "../client.ts";
import { measureTime, quantileOf } from "../measure.ts";
import { distributionText } from "../report.ts";
import { type ByMode, type Run, reportComparison } from "../suite.ts";

/** `warmUp`: calls of each side until its code is compiled. */
const BOUNDS: ByMode<{ rounds: number; budgetMs: number; clients: number; calls: number; warmUp: number }> = {
  full: { rounds: 31, budgetMs: 45_000, clients: 10_000, calls: 10, warmUp: 200 },
  smoke: { rounds: 1, budgetMs: 30_000, clients: 100, calls: 1, warmUp: 1 },
};
const TARGET = 1.3;
const QUERY_TARGET_MS = 3;

const LIMIT = 50;
const AFTER: [string, string] = ["listed-5", "00000000-0000-0000-0000-000000000000"];
const PLAN = "pro";

export async function clientList(api: ApiUnderTest, run: Run): Promise<void> {
  const { clients, calls, warmUp, ...bounds } = BOUNDS[run.mode];
  await addClients(api.database, "listed", clients);
  const token = await api.access.token({ email: api.emails.root, aud: [AUDIENCE] });
  const after = Buffer.from(JSON.stringify(AFTER)).toString("base64url");
  const target = {
    port: Number(api.direct.port),
    path: `/client?limit=${LIMIT}&after=${after}&billing_plan=${PLAN}`,
    headers: { host: `dash.${DOMAIN}`, "cf-access-jwt-assertion": token },
  };
  const query = await queryOf(api);
  const client = new Client();
  try {
    await client.calls(target, warmUp);
    await bareRequests(api, query, warmUp);
    await reportComparison(run, {
      title: `a list of ${LIMIT} among ${clients} clients: latency`,
      unit: "ms",
      subject: { name: "GET /client, whole", round: () => client.calls(target, calls) },
      baseline: {
        name: "its query, with connection and login",
        round: () => bareRequests(api, query, calls),
      },
      bounds,
      target: TARGET,
    });
  } finally {
    client.close();
  }
  await queryAlone(api, query, run, calls * 20);
}

function queryOf(api: ApiUnderTest): Promise<Statement> {
  return asCaller(api.database, { kind: "platform_root" }, async (db, _, sent) => {
    const order = { column: "slug", direction: "asc" } as const;
    await listClients(db, "production", { order, limit: LIMIT + 1, after: AFTER, filter: { billingPlan: PLAN } });
    const [query] = sent;
    if (query === undefined || sent.length !== 1) throw new Error("A list of clients must be one query.");
    return query;
  });
}

/** Like a Worker, the baseline opens a connection to the pooler for each request. */
function bareRequests(api: ApiUnderTest, { sql, parameters }: Statement, calls: number): Promise<number[]> {
  const enter = `begin; select dashboard.enter(${pg.escapeLiteral(api.emails.root)}, '', '')`;
  return repeatCall(calls, async () => {
    const connection = new pg.Client({ connectionString: api.pooledUrl });
    const latency = await measureTime(async () => {
      await connection.connect();
      await connection.query(enter);
      await connection.query(sql, [...parameters]);
      await connection.query("commit");
    });
    await connection.end();
    return latency;
  });
}

async function queryAlone(api: ApiUnderTest, { sql, parameters }: Statement, run: Run, calls: number): Promise<void> {
  const { rows } = await api.database.pool.query<{ id: string }>(
    "select id from tenantry.dashboard_users where email = $1",
    [api.emails.root],
  );
  const [latencies, plan] = await asCaller(
    api.database,
    { kind: "platform_root", caller: rows[0]?.id ?? "" },
    async (_, connection) => {
      const latencies = await repeatCall(calls, () =>
        measureTime(async () => {
          const { rowCount } = await connection.query(sql, [...parameters]);
          if (rowCount === 0) throw new Error("The query found no clients.");
        }),
      );
      const explained = await connection.query<{ "QUERY PLAN": string }>(
        `explain (analyze, costs off, buffers) ${sql}`,
        [...parameters],
      );
      return [latencies, explained.rows.map((row) => row["QUERY PLAN"]).join("\n")] as const;
    },
  );
  const title = "the list's query alone, on an open connection";
  run.report.figures(title, [
    [
      "latency, with the API's role and caller",
      distributionText(latencies, "ms"),
      { title: `${title}: median ms`, value: quantileOf(latencies, 0.5), target: QUERY_TARGET_MS },
    ],
  ]);
  run.report.text("the plan of the list's query", plan);
}
