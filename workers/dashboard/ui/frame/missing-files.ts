/** Files of pages go with the next release, and cannot be had without a log-in: loading the page anew finds the present ones, or logs in. */

const KEY = "tenantry.loaded-anew";
/** A file that is missing still is not asked for again so soon, in milliseconds. */
const PAUSE_MS = 60_000;

export function loadAnewWhenFilesAreMissing(): void {
  window.addEventListener("vite:preloadError", () => {
    if (Date.now() - Number(sessionStorage.getItem(KEY) ?? 0) < PAUSE_MS) return;
    // Where the dashboard itself cannot be had, what is shown is better than the browser's word on that.
    void fetch("/", { method: "HEAD", cache: "no-store", redirect: "manual" })
      .then(() => {
        sessionStorage.setItem(KEY, String(Date.now()));
        location.reload();
      })
      .catch(() => undefined);
  });
}

/** As Chromium, Firefox and Safari say that a module could not be loaded. */
const NOT_LOADED = /dynamically imported module|importing a module script/i;

/** Why a page cannot be shown, in words of ours where the browser's own would tell nobody anything. */
export function reasonOf(error: unknown): Error {
  const known = error instanceof Error ? error : new Error(String(error));
  if (!NOT_LOADED.test(known.message)) return known;
  const cause = "A file of this page cannot be had: the dashboard was released anew meanwhile, or is out of reach.";
  return new Error(`${cause} Try again; what you typed is kept.`);
}
