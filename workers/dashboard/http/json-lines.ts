/** A long list as JSON, a line an entry, of which no more is held than two pages. */
import type { ExportEnd } from "#workers/contracts/api/audit.ts";
import type { ErrorBody } from "#workers/contracts/errors.ts";
import { log, reasonOf } from "#workers/shared/log.ts";
import { databaseFault } from "./database-faults.ts";
import { type Failure, failureOf } from "./failure.tsx";

/**
 * The list as bytes. A page is asked for while the one before is being read, and no further one before that is.
 *
 * Its last line says that it is whole. When a page cannot be had the last line says so instead, and the stream fails: the line, because
 * workerd ends the answer of a stream that fails in good order (its `kj` ends a chunked body when it lets it go).
 *
 * @param first of its pages
 * @param next the page behind an entry; an empty one is the end
 */
export function jsonLines<T>(
  first: readonly T[],
  next: (last: T) => Promise<readonly T[]>,
): ReadableStream<Uint8Array> {
  let page = first;
  let entries = 0;
  let failure: { error: Failure; isTold: boolean } | undefined;
  const encoder = new TextEncoder();
  const lines = (values: readonly unknown[]) =>
    encoder.encode(values.map((value) => `${JSON.stringify(value)}\n`).join(""));
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (failure?.isTold) throw failure.error;
        if (failure !== undefined) {
          const { code, message } = failure.error;
          controller.enqueue(lines([{ error: { code, message } } satisfies ErrorBody]));
          failure.isTold = true;
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
          failure = { error: failureOf(fault instanceof Error ? fault : new Error(String(fault))), isTold: false };
        }
      },
    },
    { highWaterMark: 0 },
  );
}
