/** The dashboard's pages' figures: in a real browser, over the Worker as deployed. */
import { startPages } from "#workers/dashboard/testing/start-pages.ts";
import { suite } from "../suite.ts";
import { scrolling } from "./scrolling.ts";

export const pages = suite({
  name: "pages",
  open: () => startPages(),
  close: (started) => started.stop(),
  measurements: [scrolling],
});
