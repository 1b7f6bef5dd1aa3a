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
/** Another program slows single tasks several times. What a step itself costs, it costs every time. */
const PASSES = 3;
const STEP_MARK = "step ";

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
  const passes: Task[][] = [];
  const frames: number[] = [];
  for (let pass = 0; pass < PASSES; pass++) {
    // The clock includes other load on the machine; processor time does so less.
    await browser.startTracing(page, { categories: ["toplevel", "devtools.timeline", "blink.user_timing"] });
    frames.push(...(await scrollThrough(page)));
    passes.push(tasksOf(await browser.stopTracing()));
  }
  const through = await longTasks(page);
  const title = `scrolling through ${rows} ${of}: longest task of the page, ms of processor time`;
  const all = passes.flat().map(({ ms }) => ms);
  const longest = longestOf(passes);
  report.figures(title, [
    [
      `longest task, each step at its best of ${PASSES}`,
      `${longest.toFixed(1)} ms`,
      { title, value: longest, target: LONG_MS },
    ],
    ["longest task of all", `${Math.max(...all).toFixed(1)} ms`],
    ["tasks of a millisecond and more", distributionText(all, "ms")],
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
      ts: z.number(),
      dur: z.number().optional(),
      tdur: z.number().optional(),
      args: z.object({ name: z.string().optional() }).loose().optional(),
    }),
  ),
});

interface Task {
  /** Processor time in milliseconds. */
  ms: number;
  /** The step that it renders; none for another task, such as garbage collection. */
  step: string | undefined;
}

/** Returns the tasks of the renderer's main thread that took at least 1 ms. */
function tasksOf(recorded: Buffer): Task[] {
  const { traceEvents } = trace.parse(JSON.parse(recorded.toString("utf8")));
  const threadOf = ({ pid, tid }: { pid: number; tid: number }) => `${pid} ${tid}`;
  const main = new Set(
    traceEvents.filter(({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain").map(threadOf),
  );
  const events = traceEvents.filter((event) => main.has(threadOf(event))).sort((a, b) => a.ts - b.ts);
  const steps = events.filter(({ name }) => name.startsWith(STEP_MARK));
  let next = 0;
  return events.flatMap(({ name, ts, dur = 0, tdur }) => {
    if (!/RunTask$/.test(name) || tdur === undefined || tdur < 1_000) return [];
    while ((steps[next]?.ts ?? Number.POSITIVE_INFINITY) < ts) next++;
    const step = steps[next];
    return [{ ms: tdur / 1_000, step: step !== undefined && step.ts <= ts + dur ? step.name : undefined }];
  });
}

/** Returns the longest task, where each step counts with its shortest time of all passes. */
function longestOf(passes: readonly (readonly Task[])[]): number {
  const best = new Map<string, number>();
  const others: number[] = [];
  for (const { ms, step } of passes.flat()) {
    if (step === undefined) others.push(ms);
    else best.set(step, Math.min(ms, best.get(step) ?? ms));
  }
  return Math.max(...others, ...best.values());
}

/** Scrolls from the end to the beginning and back. @returns milliseconds between frames */
const scrollThrough = (page: Page): Promise<number[]> =>
  page.evaluate(
    ({ step, mark }) =>
      new Promise<number[]>((resolve) => {
        const between: number[] = [];
        let direction = -1;
        let before = performance.now();
        const next = (now: number) => {
          performance.mark(`${mark}${direction} ${window.scrollY}`);
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
    { step: STEP_PX, mark: STEP_MARK },
  );
