import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Note, type NoteArgs } from "../examples/notes/note.ts";
import { changed, type TestStack, testStack } from "./testing/test-stack.ts";

const EXAMPLE = join(import.meta.dirname, "../examples/notes");

let folder: string;
let stack: TestStack;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "notes-"));
  stack = await testStack({}, { notes: EXAMPLE });
});
afterAll(async () => {
  await stack?.dispose();
  await rm(folder, { recursive: true, force: true });
});

/** Sets a program with one resource for each of `notes`, named `first` and `second`. */
function declare(...notes: NoteArgs[]): void {
  stack.program(async () => {
    const names = ["first", "second"];
    return Object.fromEntries(notes.map((args, index) => [`path${index}`, new Note(names[index] ?? "", args).path]));
  });
}

const configure = (key: string, value: string) => stack.stack.setConfig(`notes:${key}`, { value });
const contentOf = (name: string) => readFile(join(folder, `${name}.txt`), "utf8");

function failure(run: Promise<unknown>): Promise<string> {
  return run.then(
    () => "The run succeeded.",
    (error: Error) => error.message,
  );
}

// One stack: each test starts with the state of the previous one.
describe("the example provider", () => {
  test("rejects an invalid configuration with a message that says what to do", async () => {
    declare({ name: "shopping", text: "Bread" });
    expect(await failure(stack.stack.preview())).toContain(
      "Name the folder of the notes: pulumi config set notes:folder PATH",
    );
    await configure("folder", folder);
    await configure("delayMs", "soon");
    expect(await failure(stack.stack.preview())).toContain("Give the delay of a create in milliseconds.");
    await configure("delayMs", "0");
  });

  test("rejects an invalid input", async () => {
    declare({ name: "../shopping", text: "Bread" });
    expect(await failure(stack.stack.preview())).toContain("may have letters, digits, '_' and '-' only");
  });

  test("creates a note, and changes nothing in the next run", async () => {
    declare({ name: "shopping", text: "Bread" });
    expect(changed(await stack.stack.up())).toEqual({ create: 2 });
    expect(await contentOf("shopping")).toBe("Bread");
    expect((await stack.stack.outputs()).path0?.value).toBe(join(folder, "shopping.txt"));
    expect(changed(await stack.stack.up())).toEqual({ same: 2 });
  });

  test("previews a changed text as an update, and updates in place", async () => {
    declare({ name: "shopping", text: "Milk" });
    expect((await stack.stack.preview()).changeSummary).toEqual({ same: 1, update: 1 });
    expect(await contentOf("shopping")).toBe("Bread");
    expect(changed(await stack.stack.up())).toEqual({ same: 1, update: 1 });
    expect(await contentOf("shopping")).toBe("Milk");
  });

  test("previews a changed name as a replacement, and replaces the note", async () => {
    declare({ name: "groceries", text: "Milk" });
    expect((await stack.stack.preview()).changeSummary).toEqual({ same: 1, replace: 1 });
    expect(await readdir(folder)).toEqual(["shopping.txt"]);
    expect(changed(await stack.stack.up())).toEqual({ same: 1, replace: 1 });
    expect(await readdir(folder)).toEqual(["groceries.txt"]);
  });

  test("finds a manually changed file in a refresh, and restores it in the next run", async () => {
    await writeFile(join(folder, "groceries.txt"), "Beer");
    expect(changed(await stack.stack.refresh())).toEqual({ same: 1, update: 1 });
    expect(changed(await stack.stack.up())).toEqual({ same: 1, update: 1 });
    expect(await contentOf("groceries")).toBe("Milk");
  });

  test("ends a waiting create when the run is cancelled, and creates it in the next run", async () => {
    declare({ name: "groceries", text: "Milk" }, { name: "letter", text: "Dear Ada" });
    await configure("delayMs", "600000");
    const cancelling = new AbortController();
    let shown = "";
    const onOutput = (part: string) => {
      shown += part;
      if (shown.includes("Waiting 600000 ms")) cancelling.abort();
    };
    expect(await failure(stack.stack.up({ signal: cancelling.signal, onOutput }))).toContain(
      "The note 'letter' was not created because the run was cancelled. Run it again.",
    );
    expect(await readdir(folder)).toEqual(["groceries.txt"]);
    await configure("delayMs", "0");
    expect(changed(await stack.stack.up())).toEqual({ same: 2, create: 1 });
    expect(await contentOf("letter")).toBe("Dear Ada");
  });

  test("deletes the notes", async () => {
    expect(changed(await stack.stack.destroy())).toEqual({ delete: 3 });
    expect(await readdir(folder)).toEqual([]);
  });
});

describe("executable of the example", () => {
  const start = (port: string) =>
    spawn(join(EXAMPLE, "pulumi-resource-notes"), {
      env: { PATH: process.env.PATH, PULUMI_PLUGIN_HOST_PORT: port },
      stdio: ["pipe", "pipe", "pipe"],
    });

  test("prints the port of an external server, and exits with the engine", async () => {
    const child = start("41234");
    const [line] = await once(child.stdout.setEncoding("utf8"), "data");
    expect(line).toBe("41234\n");
    child.stdin.end();
    expect(await once(child, "exit")).toEqual([0, null]);
  });

  test("rejects an invalid port", async () => {
    const child = start("41234x");
    expect(await text(child.stderr)).toContain(
      "PULUMI_PLUGIN_HOST_PORT is '41234x', which is not a port. Set it to the port that a running provider server printed, or unset it.",
    );
  });
});
