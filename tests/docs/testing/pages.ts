/** What each page assumes of the reader's platform, and what it promises. */
import type { Ran } from "./reader.ts";
import type { Site } from "./site.ts";

/** What stands for a word of a page's commands. */
export type Given = Supplied | Replaced;

/** A value that the reader supplies. */
export interface Supplied {
  /** Default: only commands that are not run have it. */
  is?: (site: Site) => string | Promise<string>;
  /** The text of the page that says where the reader finds it. */
  says: string;
}

/** An example or a time that the test replaces. */
export interface Replaced {
  is: (site: Site) => string | Promise<string>;
  because: string;
}

export interface Page {
  /** In `docs/`. */
  name: string;
  /** By placeholder or example. */
  given?: Readonly<Record<string, Given>>;
  /** Does what the page assumes. */
  prepare?: (site: Site) => Promise<void>;
  /** Does what the page asks for in words, before a command that begins with the key. */
  steps?: Readonly<Record<string, (site: Site) => Promise<unknown>>>;
  background?: Readonly<Record<string, RegExp>>;
  /** Checks what the page promises, besides that its commands succeed. */
  check?: (site: Site, ran: readonly Ran[]) => Promise<void>;
}
