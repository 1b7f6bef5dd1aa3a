/** Record of a restore, until its procedure is finished. */
import type pg from "pg";
import * as z from "zod";
import { queueSchema } from "#database/work/queue-schema.ts";
import { environments } from "#domain/environment.ts";
import type { PlatformOptions } from "../options.ts";
import { asOwner, ownerAddress, ownerEnvironment } from "./owner-database.ts";

const CAUSE =
  "The database was restored from a dump in which this job was open. Its result is unknown. Check the tenant, and request the operation again.";

const endedJob = z.object({ id: z.string(), kind: z.string(), slug: z.string() });

/** Ends open jobs, queues last month's missing invoices, and records the restore for `fleet doctor`. */
export async function recordRestore(connection: pg.Client, dumpedAt: Date, say: (line: string) => void): Promise<void> {
  await connection.query("begin");
  const { rows } = await connection.query(
    `update tenantry.jobs set status = 'failed', ended_at = now(), cause = $1 where ended_at is null returning id, kind, slug`,
    [CAUSE],
  );
  await connection.query(
    "insert into tenantry.restores (environment, dumped_at) select environment, $2 from unnest($1::text[]) as environment",
    [[...environments], dumpedAt],
  );
  // The schedule ran before the restore. Invoices that exist are not issued again.
  for (const schema of environments.map(queueSchema)) {
    await connection.query(
      `do $$ begin
         if to_regnamespace('${schema}') is not null
           and now() at time zone 'utc' >= date_trunc('month', now() at time zone 'utc') + interval '14 hours' then
           perform ${schema}.add_job('issue_invoices', '{}'::json, job_key => 'issue_invoices', max_attempts => 12);
         end if;
       end $$`,
    );
  }
  await connection.query("commit");
  for (const { id, kind, slug } of z.array(endedJob).parse(rows))
    say(`Ended the job ${kind} of ${slug} (${id}), which was open in the dump.`);
}

/** Records a restore that the database vendor carried out. */
export async function recordVendorRestore(options: PlatformOptions & { asOf: Date }): Promise<void> {
  const { asOf, say } = options;
  await asOwner(await ownerAddress(options), (connection) => recordRestore(connection, asOf, say));
  say("Recorded the restore. To find differences from the account: npm run fleet -- doctor");
}

/** Marks the restores of the stack's environment as finished, so that `fleet doctor` does not report them. */
export async function finishRestore(options: PlatformOptions): Promise<void> {
  const environment = ownerEnvironment(options);
  const { rowCount } = await asOwner(await ownerAddress(options), (connection) =>
    connection.query(
      "update tenantry.restores set finished_at = now() where environment = $1 and finished_at is null",
      [environment],
    ),
  );
  options.say(
    (rowCount ?? 0) > 0
      ? `Marked the restore of ${environment} as finished.`
      : `${environment} has no unfinished restore.`,
  );
}
