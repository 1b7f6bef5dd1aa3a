/** Runs the commands of the pages against a local edge, in the order in which a reader needs them. */
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFailed, onTestFinished, test } from "vitest";
import * as z from "zod";
import { shellCommands } from "./testing/commands.ts";
import { ROOT } from "./testing/markdown.ts";
import type { Given, Page } from "./testing/pages.ts";
import { EXAMPLES, lastPages, platformPages } from "./testing/platform-pages.ts";
import { type Ran, readPage } from "./testing/reader.ts";
import { Site } from "./testing/site.ts";
import { isSkipped, SKIPPED } from "./testing/skipped.ts";
import { tenantPages } from "./testing/tenant-pages.ts";

const PAGES = [...platformPages, ...tenantPages, ...lastPages];

const DOCS = join(ROOT, "docs");
const commandsOf = (name: string) => shellCommands(readFileSync(join(DOCS, name), "utf8"));

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

async function read({ name, given, prepare, steps = {}, background, check }: Page): Promise<void> {
  onTestFailed(() => void process.stderr.write(`${site.errors()}\n`));
  await prepare?.(site);
  site.ran = [];
  await readPage({
    page: `docs/${name}`,
    directory: site.directory,
    variables: site.variables,
    values: valuesOf({ ...EXAMPLES, ...given }),
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

const valuesOf = (given: Readonly<Record<string, Given>>) =>
  Object.fromEntries(Object.entries(given).map(([word, { is }]) => [word, () => is?.(site) ?? word]));

test.each(PAGES)("$name", read);

test("every page with commands is run", () => {
  const pages = globSync("how-to/*.md", { cwd: DOCS }).filter((name) => commandsOf(name).length > 0);
  expect(pages.toSorted()).toEqual(PAGES.map(({ name }) => name).toSorted());
});

test("names the commands that are not run, with the reason", () => {
  for (const [name, commands] of Object.entries(SKIPPED)) {
    for (const { command, reason } of commands) {
      const found = commandsOf(name).find(({ text }) => text.startsWith(command));
      expect(found, `${name} has no command ${command}`).toBeDefined();
      process.stdout.write(`docs/${name}:${found?.line}: not run: ${command}: ${reason}\n`);
    }
  }
});

describe("a command that does not work is reported", () => {
  test.each([
    ["with its page, line and output", "echo before; false", "exited with 1:\nbefore\n"],
    ["if it has a placeholder without a value", "echo SOMETHING", "The test has no value for SOMETHING."],
  ])("%s", async (_, command, reason) => {
    const directory = mkdtempSync(join(tmpdir(), "tenantry-page-"));
    onTestFinished(() => rmSync(directory, { recursive: true }));
    const text = `# Title\n\n\`\`\`sh\n${command}\n\`\`\`\n`;
    const reading = readPage({ page: "docs/x.md", text, directory, variables: process.env, values: {} });
    await expect(reading).rejects.toThrow(`docs/x.md:4: ${command}\n${reason}`);
  });
});
