/** Statements in the edge's database, as its superuser. */
import pg from "pg";
import type { Edge } from "../../local/edge.ts";

/** Runs one statement with `values`, or several without. @returns the rows of the one */
export async function sql(edge: Pick<Edge, "databaseUrl">, text: string, values: unknown[] = []): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: edge.databaseUrl });
  await client.connect();
  try {
    return (await client.query(text, values.length === 0 ? undefined : values)).rows;
  } finally {
    await client.end();
  }
}
