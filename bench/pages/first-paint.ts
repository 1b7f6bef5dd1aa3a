/** First contentful paint of the console and of the dashboard, on a throttled phone without a cache. */
import type { Page } from "playwright-core";
import type { ConsolePages } from "#workers/dashboard/ui/console/testing/start-console.ts";
import type { Bounds } from "../measure.ts";
import { type ByMode, type Run, reportComparison } from "../suite.ts";

const BOUNDS: ByMode<Bounds> = {
  full: { rounds: 15, budgetMs: 180_000 },
  smoke: { rounds: 1, budgetMs: 30_000 },
};
/** Lighthouse's "Slow 4G": milliseconds, and bytes per second. */
const NETWORK = { offline: false, latency: 150, downloadThroughput: 204_800, uploadThroughput: 96_000 };
/** Lighthouse's slowdown of a phone's processor. */
const PROCESSOR = { rate: 4 };
const PHONE = { viewport: { width: 412, height: 823 }, isMobile: true, hasTouch: true };
const SLUG = "painted";
const ADMIN = "ada@painted.test";

export async function measureFirstPaint(pages: ConsolePages, run: Run): Promise<void> {
  const { client, instance, path } = await pages.made(SLUG);
  await pages.addUser(client, instance, ADMIN, "ADMIN");
  const entered = await pages.enter(SLUG, ADMIN, "", PHONE);
  const opened = await pages.open("root", path, { ...PHONE, baseURL: pages.front.url.href });
  const side = async (name: string, page: Page) => {
    const round = await firstPaint(page);
    return { name, round: async () => [await round()] };
  };
  await reportComparison(run, {
    title: "first contentful paint on a throttled phone: console ÷ dashboard",
    unit: "ms",
    subject: await side("home of the console", entered.page),
    baseline: await side("page of a client in the dashboard", opened.page),
    bounds: BOUNDS[run.mode],
    target: 1.2,
  });
  await Promise.all([entered.close(), opened.close()]);
}

/** Returns a measurement that loads the page again. @throws Error when nothing is painted */
async function firstPaint(page: Page): Promise<() => Promise<number>> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Network.enable");
  await devtools.send("Network.setCacheDisabled", { cacheDisabled: true });
  await devtools.send("Network.emulateNetworkConditions", NETWORK);
  await devtools.send("Emulation.setCPUThrottlingRate", PROCESSOR);
  return async () => {
    await page.reload({ waitUntil: "load" });
    const paint = await page.waitForFunction(
      () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime,
    );
    const milliseconds = await paint.jsonValue();
    if (milliseconds === undefined) throw new Error("The page painted nothing.");
    return milliseconds;
  };
}
