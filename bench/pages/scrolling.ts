/** Scrolling through clients that a page has read: how long its script keeps the browser from drawing. */
import type { Page } from "playwright-core";
import * as z from "zod";
import { addClients } from "#database/testing/many-clients.ts";
import type { PagesUnderTest } from "#workers/dashboard/testing/start-pages.ts";
import { distribution } from "../report.ts";
import type { ByMode, Run } from "../suite.ts";

const BOUNDS: ByMode<{ clients: number }> = { full: { clients: 10_000 }, smoke: { clients: 300 } };
/** What is longer is a long task (W3C: "Long Tasks"), in milliseconds. */
const LONG_MS = 50;
const ROW_PX = 45;
/** Of one frame: ten rows, which nobody can read. */
const STEP_PX = 10 * ROW_PX;

export async function scrolling(pages: PagesUnderTest, { mode, report }: Run): Promise<void> {
  const { clients } = BOUNDS[mode];
  await addClients(pages.database, "listed", clients);
  const { page, close } = await pages.open("root", "/clients", { viewport: { width: 1280, height: 900 } });
  await page.getByRole("link", { name: "Client 1 listed-1", exact: true }).waitFor();
  const begun = performance.now();
  await readAll(page, clients);
  const took = performance.now() - begun;
  const reading = await longTasks(page);
  // How long tasks take by the clock says as much of what else the machine does; their processor time does not.
  await pages.browser.startTracing(page, { categories: ["toplevel", "devtools.timeline"] });
  const frames = await scrollThrough(page);
  const tasks = taskTimes(await pages.browser.stopTracing());
  const through = await longTasks(page);
  await close();
  const title = `scrolling through ${clients} clients: longest task of the page, ms of processor time`;
  const longest = Math.max(...tasks);
  report.figures(title, [
    ["longest task", `${longest.toFixed(1)} ms`, { title, value: longest, target: LONG_MS }],
    ["tasks of a millisecond and more", distribution(tasks, "ms")],
    ["between two frames, by the clock", distribution(frames, "ms")],
    [`tasks over ${LONG_MS} ms by the clock`, told(through)],
    ["the same while all were read by scrolling", told(reading)],
    ["all read in", `${(took / 1000).toFixed(1)} s`],
  ]);
}

const told = (tasks: readonly number[]) =>
  tasks.length === 0 ? "none" : `${tasks.length}, the longest ${Math.max(...tasks).toFixed(0)} ms`;

/** Scrolls to the end until nothing more is read, with long tasks noted from then on. */
async function readAll(page: Page, clients: number): Promise<void> {
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
  await page.waitForFunction(scrollOn, clients * ROW_PX, { timeout: 0 });
}

/** @returns and forgets the long tasks so far, in milliseconds by the clock */
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

/** Processor time of each task of the renderer's main thread that has at least a millisecond of it, in milliseconds. */
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

/** From the end to the beginning and back, a step a frame. @returns times between frames, in milliseconds */
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
