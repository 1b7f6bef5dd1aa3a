import type { ExportEnd } from "#workers/contracts/api/audit.ts";
import type { ErrorBody } from "#workers/contracts/errors.ts";
import { log, reasonOf } from "#workers/shared/log.ts";
import { databaseFault } from "./database-faults.ts";
import { type Failure, failureOf } from "./failure.tsx";

/**
 * Streams a list as JSON lines, with at most two pages in memory: the next page is read while the previous one is sent.
 *
 * The last line marks a complete list. If a page fails, the last line has the error, and the stream fails. The line is necessary because
 * workerd ends the chunked body of a failed stream like a complete one.
 *
 * @param first page
 * @param next returns the page after an entry; an empty page is the end
 */
export function jsonLines<T>(
  first: readonly T[],
  next: (last: T) => Promise<readonly T[]>,
): ReadableStream<Uint8Array> {
  let page = first;
  let entries = 0;
  let failure: { error: Failure; isSent: boolean } | undefined;
  const encoder = new TextEncoder();
  const lines = (values: readonly unknown[]) =>
    encoder.encode(values.map((value) => `${JSON.stringify(value)}\n`).join(""));
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (failure?.isSent) throw failure.error;
        if (failure !== undefined) {
          const { code, reason, message } = failure.error;
          controller.enqueue(lines([{ error: { code, reason, message } } satisfies ErrorBody]));
          failure.isSent = true;
          return;
        }
        const last: T | undefined = page.at(-1);
        if (last === undefined) {
          controller.enqueue(lines([{ end: { entries } } satisfies ExportEnd]));
          controller.close();
          return;
        }
        controller.enqueue(lines(page));
        entries += page.length;
        try {
          page = await next(last);
        } catch (error) {
          log("error", "stream.failed", { reason: reasonOf(error) });
          const fault = databaseFault(error);
          failure = { error: failureOf(fault instanceof Error ? fault : new Error(String(fault))), isSent: false };
        }
      },
    },
    { highWaterMark: 0 },
  );
}
