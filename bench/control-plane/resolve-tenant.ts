/** `resolve_tenant` among 100,000 clients, against the same among a hundred. */
import { databaseRoles } from "../../database/callers/roles.ts";
import { addClients } from "../../database/testing/many-clients.ts";
import { startTestDatabase, type TestDatabase } from "../../database/testing/test-database.ts";
import type { ApiUnderTest } from "../../workers/dashboard/testing/start-api.ts";
import { compare } from "../measure.ts";
import { printComparison } from "../report.ts";

const MANY = 100_000;
const FEW = 100;
const CALLS = 100;
const BOUNDS = { rounds: 21, budgetMs: 20_000 };
/** What a deeper index costs. */
const TARGET = 1.25;

export async function resolveTenant({ database: many }: ApiUnderTest): Promise<void> {
  const few = await startTestDatabase();
  try {
    await addClients(many, "resolved", MANY);
    await addClients(few, "resolved", FEW);
    const compared = await compare(
      { name: `among ${MANY} clients`, round: () => resolutions(many, MANY) },
      { name: `among ${FEW}`, round: () => resolutions(few, FEW) },
      BOUNDS,
    );
    printComparison("resolve_tenant: latency", "ms", compared, TARGET);
  } finally {
    await few.stop();
  }
}

async function resolutions({ pool }: TestDatabase, among: number): Promise<number[]> {
  const latencies: number[] = [];
  const connection = await pool.connect();
  try {
    await connection.query(`set role ${databaseRoles("production").dispatch}`);
    for (let call = 0; call < CALLS; call++) {
      // Spread over all, so that not one page of an index answers.
      const slug = `resolved-${1 + ((call * 7919) % among)}`;
      const begun = performance.now();
      await connection.query("select api.resolve_tenant($1, $2)", [slug, `${slug}@users.test`]);
      latencies.push(performance.now() - begun);
    }
  } finally {
    await connection.query("reset role");
    connection.release();
  }
  return latencies;
}
