import { EventEmitter, once } from "node:events";
import * as z from "zod";
import type { TestDatabase } from "#database/testing/test-database.ts";
import { lineLog } from "../log.ts";
import { type Service, startService } from "../service.ts";
import { readSettings } from "../settings.ts";
import { testVariables } from "./settings.ts";

const line = z.looseObject({ level: z.string(), event: z.string() });
export type Line = z.infer<typeof line>;

/** Lines of a log. */
export class Lines {
  readonly all: Line[] = [];
  /** The unparsed lines. */
  text = "";
  readonly #emitter = new EventEmitter();
  #rest = "";

  add(written: string): void {
    this.text += written;
    const lines = `${this.#rest}${written}`.split("\n");
    this.#rest = lines.pop() ?? "";
    for (const one of lines.filter(Boolean)) this.all.push(line.parse(JSON.parse(one)));
    this.#emitter.emit("line");
  }

  /** Waits for the first line that fits; earlier lines count. */
  async find(fits: (line: Line) => boolean): Promise<Line> {
    for (;;) {
      const found = this.all.find(fits);
      if (found !== undefined) return found;
      await once(this.#emitter, "line");
    }
  }
}

export async function startTestService(
  database: TestDatabase,
  changed: Readonly<Record<string, string | undefined>> = {},
): Promise<Service & { lines: Lines }> {
  const lines = new Lines();
  const log = lineLog((text) => lines.add(text));
  return { ...(await startService(readSettings(testVariables(database, changed)), log)), lines };
}
