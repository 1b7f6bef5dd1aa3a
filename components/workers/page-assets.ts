import { join, relative } from "node:path";
import { PAGE_FILES_PATH } from "#workers/contracts/pages.ts";
import type { PagesBundle } from "#workers/pages.ts";

const ROOT = join(import.meta.dirname, "../..");

/** Cloudflare serves assets without the Worker, which sets this header elsewhere. */
const HEADERS = `${PAGE_FILES_PATH}/*\n  X-Content-Type-Options: nosniff\n`;

/** Returns the argument `assets` of a `WorkersScript`. The path is relative, so that it is the same on every machine. */
export function pageAssets(pages: PagesBundle) {
  return {
    directory: relative(ROOT, pages.path),
    config: {
      // The Worker authorizes every request except those for files that pages load.
      runWorkerFirst: ["/*", `!${PAGE_FILES_PATH}/*`],
      htmlHandling: "none",
      notFoundHandling: "none",
      headers: HEADERS,
    },
  };
}
