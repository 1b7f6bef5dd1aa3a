/** A real browser, from an npm package: nothing of the system is needed. */
import { tmpdir } from "node:os";
import { join } from "node:path";
import chromium from "@sparticuz/chromium";
import { withLock } from "@tenantry/std/file-lock";
import { type Browser, chromium as playwright } from "playwright-core";

/** Flags of the package that switch off the browser's own security, which is a part of what is looked at. */
const UNSAFE = /^--(disable-web-security|allow-running-insecure-content|disable-site-isolation-trials|single-process)/;

/** The package unpacks its browser where there is none: one process at a time, as none can start what is half written. */
chromium.setGraphicsMode = false;

const unpacked = () => withLock(join(tmpdir(), "chromium.lock"), () => chromium.executablePath());

export async function openBrowser(): Promise<Browser> {
  return playwright.launch({
    executablePath: await unpacked(),
    args: [...chromium.args.filter((flag) => !UNSAFE.test(flag)), "--disable-background-networking", "--disable-gpu"],
    headless: true,
  });
}
