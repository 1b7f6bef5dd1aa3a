/** Scrolling through loaded clients: how long the page's script blocks rendering. */
import type { Page } from "playwright-core";
import * as z from "zod";
import { addClients } from "#database/testing/many-clients.ts";
import type { PagesUnderTest } from "#workers/dashboard/testing/start-pages.ts";
import { measureTime } from "../measure.ts";
import { distributionText, secondsText } from "../report.ts";
import type { ByMode, Run } from "../suite.ts";

const BOUNDS: ByMode<{ clients: number }> = { full: { clients: 10_000 }, smoke: { clients: 300 } };
/** Threshold of a long task (W3C: "Long Tasks"), in milliseconds. */
const LONG_MS = 50;
const ROW_PX = 45;
const STEP_PX = 10 * ROW_PX;

export async function measureScrolling(pages: PagesUnderTest, { mode, report }: Run): Promise<void> {
  const { clients } = BOUNDS[mode];
  await addClients(pages.database, "listed", clients);
  const { page, close } = await pages.open("root", "/clients", { viewport: VIEWPORT });
  await page.getByRole("link", { name: "Client 1 listed-1", exact: true }).waitFor();
  await measureList(page, pages, { rows: clients, of: "clients", report });
  await close();
}

export const VIEWPORT = { width: 1280, height: 900 };

interface List {
  rows: number;
  /** What the rows are. */
  of: string;
  report: Run["report"];
}

/** Loads a whole list of a page by scrolling, and then scrolls through it. */
export async function measureList(
  page: Page,
  { browser }: Pick<PagesUnderTest, "browser">,
  { rows, of, report }: List,
): Promise<void> {
  const took = await measureTime(() => readAll(page, rows));
  const reading = await longTasks(page);
  // The clock includes other load on the machine; processor time does not.
  await browser.startTracing(page, { categories: ["toplevel", "devtools.timeline"] });
  const frames = await scrollThrough(page);
  const tasks = taskTimes(await browser.stopTracing());
  const through = await longTasks(page);
  const title = `scrolling through ${rows} ${of}: longest task of the page, ms of processor time`;
  const longest = Math.max(...tasks);
  report.figures(title, [
    ["longest task", `${longest.toFixed(1)} ms`, { title, value: longest, target: LONG_MS }],
    ["tasks of a millisecond and more", distributionText(tasks, "ms")],
    ["between two frames, by the clock", distributionText(frames, "ms")],
    [`tasks over ${LONG_MS} ms by the clock`, describeTasks(through)],
    [`the same while loading all ${of}`, describeTasks(reading)],
    ["all loaded in", secondsText(took)],
  ]);
}

const describeTasks = (tasks: readonly number[]) =>
  tasks.length === 0 ? "none" : `${tasks.length}, longest ${Math.max(...tasks).toFixed(0)} ms`;

async function readAll(page: Page, rows: number): Promise<void> {
  await page.evaluate(() => {
    const noted = Object.assign(window, { longTasks: [] as number[] }).longTasks;
    new PerformanceObserver((list) => noted.push(...list.getEntries().map(({ duration }) => duration))).observe({
      type: "longtask",
    });
  });
  const scrollOn = (height: number) => {
    window.scrollTo(0, document.documentElement.scrollHeight);
    return document.documentElement.scrollHeight >= height;
  };
  await page.waitForFunction(scrollOn, rows * ROW_PX, { timeout: 0 });
}

/** Returns and clears the recorded long tasks, in milliseconds by the clock. */
const longTasks = (page: Page): Promise<number[]> =>
  page.evaluate(() => (window as unknown as { longTasks: number[] }).longTasks.splice(0));

const trace = z.object({
  traceEvents: z.array(
    z.object({
      name: z.string(),
      pid: z.number(),
      tid: z.number(),
      tdur: z.number().optional(),
      args: z.object({ name: z.string().optional() }).loose().optional(),
    }),
  ),
});

/** Returns processor milliseconds of the renderer's main-thread tasks of at least 1 ms. */
function taskTimes(recorded: Buffer): number[] {
  const { traceEvents } = trace.parse(JSON.parse(recorded.toString("utf8")));
  const main = new Set(
    traceEvents
      .filter(({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain")
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  return traceEvents.flatMap(({ name, pid, tid, tdur }) =>
    /RunTask$/.test(name) && tdur !== undefined && tdur >= 1_000 && main.has(`${pid} ${tid}`) ? [tdur / 1_000] : [],
  );
}

/** Scrolls from the end to the beginning and back. @returns milliseconds between frames */
const scrollThrough = (page: Page): Promise<number[]> =>
  page.evaluate(
    (step) =>
      new Promise<number[]>((resolve) => {
        const between: number[] = [];
        let direction = -1;
        let before = performance.now();
        const next = (now: number) => {
          between.push(now - before);
          before = now;
          window.scrollBy(0, direction * step);
          if (window.scrollY === 0) direction = 1;
          const atEnd = window.scrollY + window.innerHeight >= document.documentElement.scrollHeight - 1;
          if (direction === 1 && atEnd) resolve(between);
          else requestAnimationFrame(next);
        };
        requestAnimationFrame(next);
      }),
    STEP_PX,
  );
