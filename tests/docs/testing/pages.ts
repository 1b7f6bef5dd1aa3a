/** What each page assumes of the reader's platform, and what it promises. */
import type { Ran, Value } from "./reader.ts";
import type { Site } from "./site.ts";

export interface Page {
  /** In `docs/`. */
  name: string;
  /** What stands for the page's placeholders and examples. */
  values?: (site: Site) => Record<string, Value>;
  /** Does what the page assumes. */
  prepare?: (site: Site) => Promise<void>;
  /** Does what the page asks for in words, before a command that begins with the key. */
  steps?: Readonly<Record<string, (site: Site) => Promise<unknown>>>;
  background?: Readonly<Record<string, RegExp>>;
  /** Checks what the page promises, besides that its commands succeed. */
  check?: (site: Site, ran: readonly Ran[]) => Promise<void>;
}
