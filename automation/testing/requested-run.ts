import type { TestDatabase } from "#database/testing/test-database.ts";

/** Runs a task as the schedule does, and waits for its end. @throws Error with the task's error */
export async function requestRun({ pool }: TestDatabase, task: string): Promise<void> {
  const { rows } = await pool.query("select id from graphile_worker.add_job($1, job_key => $1 || '-of-a-test')", [
    task,
  ]);
  for (;;) {
    const found = await pool.query<{ last_error: string | null }>(
      "select last_error from graphile_worker._private_jobs where id = $1",
      [rows[0].id],
    );
    const [left] = found.rows;
    if (left === undefined) return;
    if (left.last_error !== null) throw new Error(`${task} failed: ${left.last_error}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
