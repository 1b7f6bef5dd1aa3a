import { join, relative } from "node:path";
import { PAGE_FILES_PATH } from "#workers/contracts/pages.ts";
import type { PagesBundle } from "#workers/pages.ts";

const ROOT = join(import.meta.dirname, "../..");

/** The Worker's own headers are not on what is served without it. It holds for what is not found too, which nobody may keep. */
const HEADERS = `${PAGE_FILES_PATH}/*\n  X-Content-Type-Options: nosniff\n`;

/** The argument `assets` of a `WorkersScript` that has pages; the directory's path is the same on every machine. */
export function pageAssets(pages: PagesBundle) {
  return {
    directory: relative(ROOT, pages.path),
    config: {
      // All but what pages load passes the Worker, which knows who asks.
      runWorkerFirst: ["/*", `!${PAGE_FILES_PATH}/*`],
      htmlHandling: "none",
      notFoundHandling: "none",
      headers: HEADERS,
    },
  };
}
