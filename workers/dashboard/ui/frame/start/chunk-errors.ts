/** A release replaces the files of pages, and without a login none can be loaded. A reload fixes both. */
import { errorText } from "#domain/errors/catalogue.ts";
import { interfaceErrors } from "#domain/errors/interface.ts";

const KEY = "tenantry.reloaded";
/** Prevents a reload loop while a file stays missing. */
const PAUSE_MS = 60_000;

export function reloadOnMissingFiles(): void {
  window.addEventListener("vite:preloadError", () => {
    if (Date.now() - Number(sessionStorage.getItem(KEY) ?? 0) < PAUSE_MS) return;
    // If the dashboard is unreachable, the current page is better than the browser's error page.
    void fetch("/", { method: "HEAD", cache: "no-store", redirect: "manual" })
      .then(() => {
        sessionStorage.setItem(KEY, String(Date.now()));
        location.reload();
      })
      .catch(() => undefined);
  });
}

/** Messages of Chromium, Firefox and Safari for a module that failed to load. */
const NOT_LOADED = /dynamically imported module|importing a module script/i;

/** Replaces a browser's message for a missing file by one that says what to do. */
export function explainLoadError(error: unknown): Error {
  const known = error instanceof Error ? error : new Error(String(error));
  return NOT_LOADED.test(known.message) ? new Error(errorText(interfaceErrors.page_part_not_loaded)) : known;
}
