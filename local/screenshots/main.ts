/** `npm run screenshots [-- --state DIR] [--out DIR] [--only NAME]` writes screenshots of a running edge: light, dark and on a phone. */
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { openBrowser } from "@tenantry/test-kit/browser";
import type { BrowserContextOptions } from "playwright-core";
import { dashboardHostname } from "#domain/names/hostnames.ts";
import { localToken } from "../local-token.ts";
import { DEFAULT_STATE } from "../start/options.ts";
import { readEdgeFile } from "../state/edge-file.ts";
import { ROOT, type Shot, shotsOf } from "./shots.ts";

const VARIANTS: Readonly<Record<string, BrowserContextOptions>> = {
  light: { colorScheme: "light", viewport: { width: 1360, height: 850 } },
  dark: { colorScheme: "dark", viewport: { width: 1360, height: 850 } },
  phone: {
    colorScheme: "light",
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
    deviceScaleFactor: 2,
  },
};
/** How long a page may take to become idle; a page with live updates never does. */
const QUIET_MS = 4_000;

try {
  const { values } = parseArgs({
    options: { state: { type: "string" }, out: { type: "string" }, only: { type: "string" } },
  });
  const edge = readEdgeFile(resolve(values.state ?? DEFAULT_STATE));
  const out = resolve(values.out ?? "screenshots");
  const dashboard = `http://${dashboardHostname("production", edge.domain)}:${edge.port}`;
  const rootToken = await localToken(edge, ROOT, new URL(dashboard).hostname);
  const browser = await openBrowser();
  try {
    // Through the browser, which resolves hosts under localhost.
    const apiContext = await browser.newContext();
    await apiContext.addCookies([{ name: "CF_Authorization", value: rootToken, url: dashboard }]);
    const apiPage = await apiContext.newPage();
    await apiPage.goto(`${dashboard}/clients`);
    const get = (path: string): Promise<unknown> =>
      apiPage.evaluate(async (at) => (await fetch(at, { headers: { accept: "application/json" } })).json(), path);
    const shots = (await shotsOf(edge, dashboard, get)).filter(
      ({ name }) => values.only === undefined || name === values.only,
    );
    for (const [variant, options] of Object.entries(VARIANTS)) {
      mkdirSync(join(out, variant), { recursive: true });
      const context = await browser.newContext(options);
      for (const shot of shots) {
        const page = await context.newPage();
        await context.clearCookies();
        await logIn(shot, (cookie) => context.addCookies([cookie]));
        await page.goto(shot.url);
        await page
          .locator("h1")
          .first()
          .waitFor({ timeout: QUIET_MS })
          .catch(() => undefined);
        await page.waitForLoadState("networkidle", { timeout: QUIET_MS }).catch(() => undefined);
        await page.screenshot({ path: join(out, variant, `${shot.name}.png`), fullPage: true });
        await page.close();
        process.stdout.write(`${variant}/${shot.name}.png\n`);
      }
      await context.close();
    }
  } finally {
    await browser.close();
  }

  async function logIn(
    { email, url }: Shot,
    add: (cookie: { name: string; value: string; url: string }) => Promise<void>,
  ): Promise<void> {
    if (email === undefined) return;
    // A stranger gets no token and sees the login page.
    const value = await localToken(edge, email, new URL(url).hostname).catch(() => undefined);
    if (value !== undefined) await add({ name: "CF_Authorization", value, url: new URL(url).origin });
  }
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
