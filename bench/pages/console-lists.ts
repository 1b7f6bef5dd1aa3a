/** Scrolling through long lists of the console: calls of models and backups, which the browser receives from this process. */
import { consoleApi } from "#domain/access/access-addresses.ts";
import type { ModelCall } from "#workers/contracts/api/model-call-log.ts";
import type { BackupReport } from "#workers/contracts/tenant/backup.ts";
import { ADMIN } from "#workers/dashboard/testing/start-instance-pages.ts";
import type { ConsolePages } from "#workers/dashboard/ui/console/testing/start-console.ts";
import type { ByMode, Run } from "../suite.ts";
import { measureList, VIEWPORT } from "./scrolling.ts";

const ROWS: ByMode<number> = { full: 10_000, smoke: 300 };
const SLUG = "listed";
const EMAIL = "ada@listed.test";
const START = Date.parse("2026-11-22T12:00:00Z");
const MINUTE_MS = 60_000;

const timeOf = (row: number) => new Date(START - row * MINUTE_MS).toISOString();

const call = (row: number): ModelCall => ({
  ...{ id: `call-${row}`, at: timeOf(row), duration_ms: 900 + row, provider: "openai", model: "gpt-5", person: null },
  ...{ status_code: 200, success: row % 7 > 0, cached: false, input_tokens: row, output_tokens: 5 },
  ...{ cost_micros: row * 10, own_key: false },
  findings: row % 5 === 0 ? { action: "flagged", in: ["request"], profiles: [] } : null,
});

export async function measureConsoleLists(pages: ConsolePages, { mode, report }: Run): Promise<void> {
  const rows = ROWS[mode];
  const { client, instance } = await pages.made(SLUG);
  await pages.addUser(client, instance, EMAIL, "ADMIN");
  pages.answerAsUsual();
  const backups = Array.from({ length: rows }, (_, row) => ({
    id: `b${row}`,
    createdAt: timeOf(row),
    bytes: 1e6 + row,
  }));
  pages.tenants.answers.set(`${ADMIN}/backups`, {
    body: { state: "known", backups, damaged: [] } satisfies BackupReport,
  });

  const calls = await pages.enter(SLUG, EMAIL, "", { viewport: VIEWPORT });
  await calls.page.route(`**${consoleApi(SLUG)}/client/*/model-calls?*`, (route) => {
    const { searchParams } = new URL(route.request().url());
    const [limit, after] = ["limit", "after"].map((name) => Number(searchParams.get(name) ?? 0));
    const end = Math.min((after ?? 0) + (limit ?? 0), rows);
    const data = Array.from({ length: end - (after ?? 0) }, (_, row) => call((after ?? 0) + row));
    return route.fulfill({ json: { data, pagination: { next: end < rows ? String(end) : null } } });
  });
  await calls.page.goto(new URL(`/console/${SLUG}/models`, calls.page.url()).href);
  await calls.page.getByRole("table", { name: "Calls of models" }).waitFor();
  await measureList(calls.page, pages, { rows, of: "calls of models", report });
  await calls.close();

  const listed = await pages.enter(SLUG, EMAIL, "backups", { viewport: VIEWPORT });
  await listed.page.getByRole("table", { name: "Backups" }).waitFor();
  await listed.page.getByRole("button", { name: "Show all backups" }).click();
  await measureList(listed.page, pages, { rows, of: "backups", report });
  await listed.close();
}
