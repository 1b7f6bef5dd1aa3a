/** Runs the commands of the pages against a local edge, in the order in which a reader needs them. */
import { afterAll, beforeAll, expect, test } from "vitest";
import * as z from "zod";
import type { Page } from "./testing/pages.ts";
import { lastPages, platformPages } from "./testing/platform-pages.ts";
import { type Ran, readPage } from "./testing/reader.ts";
import { isSkipped } from "./testing/skipped.ts";
import { tenantPages } from "./testing/tenant-pages.ts";
import { Site } from "./testing/site.ts";

const PAGES = [...platformPages, ...tenantPages, ...lastPages];

let site: Site;
beforeAll(async () => {
  site = await Site.open();
});
afterAll(() => site?.close());

const job = z.looseObject({ id: z.string(), kind: z.string(), ended_at: z.string().nullable() });
const withJob = z.looseObject({ job });

/** Waits for the job that a command requested. */
async function jobEnds({ output }: Ran): Promise<void> {
  const body = parseJson(output);
  const requested = job.safeParse(body).data ?? withJob.safeParse(body).data?.job;
  if (requested !== undefined) await site.jobEnds(requested.id);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function read({ name, values, prepare, steps = {}, background, check }: Page): Promise<void> {
  await prepare?.(site);
  site.ran = [];
  await readPage({
    page: `docs/${name}`,
    directory: site.directory,
    variables: site.variables,
    values: { ...values?.(site), ...site.values() },
    ...(background && { background }),
    isSkipped: (command) => isSkipped(name, command),
    before: async (command) => {
      for (const [start, step] of Object.entries(steps)) if (command.startsWith(start)) await step(site);
    },
    after: async (ran) => {
      site.ran.push(ran);
      await jobEnds(ran);
    },
  });
  expect(site.ran.length).toBeGreaterThan(0);
  await check?.(site, site.ran);
}

test.each(PAGES)("$name", read);
