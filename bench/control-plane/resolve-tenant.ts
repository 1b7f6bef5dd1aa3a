/** `resolve_tenant` with 100,000 clients, compared with 100. */
import { databaseRoles } from "#database/callers/roles.ts";
import { addClients } from "#database/testing/many-clients.ts";
import { startTestDatabase, type TestDatabase } from "#database/testing/test-database.ts";
import type { ApiUnderTest } from "#workers/dashboard/testing/start-api.ts";
import { repeatCall } from "../client.ts";
import { measureTime } from "../measure.ts";
import { type ByMode, type Run, reportComparison } from "../suite.ts";

const BOUNDS: ByMode<{ rounds: number; budgetMs: number; many: number; few: number; calls: number }> = {
  full: { rounds: 21, budgetMs: 20_000, many: 100_000, few: 100, calls: 100 },
  smoke: { rounds: 1, budgetMs: 20_000, many: 100, few: 10, calls: 1 },
};
const TARGET = 1.25;

export async function resolveTenant({ database }: ApiUnderTest, run: Run): Promise<void> {
  const { many, few, calls, ...bounds } = BOUNDS[run.mode];
  const small = await startTestDatabase();
  try {
    await addClients(database, "resolved", many);
    await addClients(small, "resolved", few);
    await reportComparison(run, {
      title: "resolve_tenant: latency",
      unit: "ms",
      subject: { name: `among ${many} clients`, round: () => measureResolutions(database, many, calls) },
      baseline: { name: `among ${few}`, round: () => measureResolutions(small, few, calls) },
      bounds,
      target: TARGET,
    });
  } finally {
    await small.stop();
  }
}

async function measureResolutions({ pool }: TestDatabase, among: number, calls: number): Promise<number[]> {
  const connection = await pool.connect();
  try {
    await connection.query(`set role ${databaseRoles("production").dispatch}`);
    let call = 0;
    return await repeatCall(calls, () => {
      // Spread over all clients, to read many pages of the index.
      const slug = `resolved-${1 + ((call++ * 7919) % among)}`;
      return measureTime(() => connection.query("select api.resolve_tenant($1, $2)", [slug, `${slug}@users.test`]));
    });
  } finally {
    await connection.query("reset role");
    connection.release();
  }
}
