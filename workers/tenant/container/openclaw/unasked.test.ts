import { execFile } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const UNASKED = pathToFileURL(join(import.meta.dirname, "unasked.mjs")).href;

/** Runs a program with the module preloaded. @returns its output, parsed as JSON */
async function run(module: string): Promise<unknown> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...["--import", UNASKED],
    ...["--input-type=module", "--eval", module],
  ]);
  return JSON.parse(stdout);
}

const LOOKS_UP = `
  import { lookup } from "node:dns/promises";
  const why = async (name) => lookup(name, { all: true }).then(({ length }) => length > 0, ({ message }) => message);
  const guarded = async (name) => { await null; return await why(name); };
  const loadHostedOfficialExternalPluginCatalogEntries = async (name) => { const result = await guarded(name); return result; };
`;

test("blocks requests for the plug-in catalogue, and no others", async () => {
  const [catalogue, search, elsewhere] = (await run(`${LOOKS_UP}
    const asked = [loadHostedOfficialExternalPluginCatalogEntries("clawhub.ai"), guarded("clawhub.ai")];
    const answers = await Promise.all([...asked, loadHostedOfficialExternalPluginCatalogEntries("localhost")]);
    console.log(JSON.stringify(answers));`)) as unknown[];
  expect(catalogue).toBe("the catalogue of clawhub.ai is blocked");
  expect(search).not.toBe(catalogue);
  expect(elsewhere).toBe(true);
});

test("answers requests for avatars with 404", async () => {
  const answer = await run(`
    const { status } = await fetch("https://www.gravatar.com/avatar/" + "0".repeat(64) + "?s=256&d=404");
    const other = await fetch("data:text/plain,other").then((response) => response.text());
    console.log(JSON.stringify([status, other]));`);
  expect(answer).toEqual([404, "other"]);
});
