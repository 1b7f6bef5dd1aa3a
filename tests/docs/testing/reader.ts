/** Runs the commands of a page as its reader does: one after another in a shell, which keeps its directory and variables. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { killTree, ROOT } from "../../testing/engine.ts";
import { type Command, shellCommands } from "./commands.ts";
import { placeholders } from "./placeholders.ts";

/** What stands for a word of a page, when a command runs. */
export type Value = () => string | Promise<string>;

export interface Ran extends Command {
  /** Standard output. */
  output: string;
}

export interface Reading {
  /** From the root. */
  page: string;
  /** Its text. Default: the file's. */
  text?: string;
  /** Directory of the first command. */
  directory: string;
  variables: NodeJS.ProcessEnv;
  /** What stands for words and placeholders of the page. */
  values: Readonly<Record<string, Value>>;
  /** Commands that keep running, with the output that shows that they work. */
  background?: Readonly<Record<string, RegExp>>;
  isSkipped?: (command: string) => boolean;
  before?: (command: string) => Promise<void>;
  after?: (ran: Ran) => Promise<void>;
}

const STOP_TIMEOUT_MS = 40_000;
/** Above Cloudflare's period of five minutes: the pages together may exceed its 1,200 requests, and a command then waits for the next period. */
const COMMAND_TIMEOUT_MS = 420_000;

/** npm takes longer than most programs: it starts each once, which shows that it finds them. Later uses start what it starts. */
const WITHOUT_NPM = `
npx() {
  if [ -e "$READERS/npx-$1" ]; then "$@"; else touch "$READERS/npx-$1"; command npx "$@"; fi
}
npm() {
  local quiet=
  if [ "$1 $2" = "run -s" ]; then quiet=-s; shift 2; set -- run "$@"; fi
  local script=$2
  if [ "$1" != run ] || [ ! -e "$READERS/npm-$script" ]; then touch "$READERS/npm-$script"; command npm "$1" $quiet "\${@:2}"; return; fi
  shift 2
  [ "$1" != -- ] || shift
  $(jq -r --arg script "$script" '.scripts[$script]' package.json) "$@"
}
`;

const KEEP_STATE = `
trap 'status=$?; export -p > "$READER/environment"; pwd > "$READER/directory"; exit $status' EXIT
. "$READER/environment"
cd "$(cat "$READER/directory")"
set -eo pipefail
${WITHOUT_NPM}`;

/** @returns the commands that ran @throws Error that names the page and the line of a command that failed */
export async function readPage(reading: Reading): Promise<Ran[]> {
  const { page, directory, values, background = {}, isSkipped, before, after } = reading;
  const reader = mkdtempSync(join(directory, ".reader-"));
  writeFileSync(join(reader, "directory"), directory);
  writeFileSync(join(reader, "environment"), "");
  const readers = join(directory, ".readers");
  mkdirSync(readers, { recursive: true });
  const env = { ...reading.variables, READER: reader, READERS: readers };
  const running: ChildProcess[] = [];
  const ran: Ran[] = [];
  try {
    for (const command of shellCommands(reading.text ?? readFileSync(join(ROOT, page), "utf8"))) {
      if (isSkipped?.(command.text)) continue;
      await before?.(command.text);
      const at = `${page}:${command.line}: ${command.text}`;
      const text = await insertValues(command.text, values, at);
      const awaited = background[command.text];
      const output = await runShell(text, env, at, awaited && { awaited, running });
      ran.push({ ...command, output });
      await after?.({ ...command, output });
    }
  } finally {
    await Promise.all(running.map(interrupt));
  }
  return ran;
}

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&");

async function insertValues(text: string, values: Reading["values"], at: string): Promise<string> {
  const unknown = placeholders(text).filter((name) => !(name in values));
  if (unknown.length > 0) throw new Error(`${at}\nThe test has no value for ${unknown.join(", ")}.`);
  const words = Object.keys(values).toSorted((a, b) => b.length - a.length);
  const any = new RegExp(
    `(?<![\\w$])(?:${words.map((word) => escaped(word) + (/\w$/.test(word) ? "(?!\\w)" : "")).join("|")})`,
    "g",
  );
  const inserted = new Map<string, string>();
  if (words.length > 0)
    for (const word of new Set(text.match(any))) inserted.set(word, (await values[word]?.()) ?? word);
  // The reader confirms the preview at the terminal.
  return (words.length > 0 ? text.replaceAll(any, (word) => inserted.get(word) ?? word) : text)
    .replaceAll(/(?:npx|npm run) pulumi (?:-- )?(?:-C \S+ )?(?:up|destroy|refresh)\b/g, "$& --yes --skip-preview")
    .replaceAll(/npx pulumi stack rm\b/g, "$& --yes");
}

/** Ends a command as Ctrl-C does. */
async function interrupt(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const { pid } = child;
  const timer = setTimeout(() => killTree(pid), STOP_TIMEOUT_MS);
  process.kill(-pid, "SIGINT");
  await once(child, "close");
  clearTimeout(timer);
}

function shell(text: string, env: NodeJS.ProcessEnv) {
  const child = spawn("bash", ["-c", `${KEEP_STATE}\n${text}`], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const said = { output: "", all: "" };
  child.stdout.on("data", (chunk) => {
    said.output += chunk;
    said.all += chunk;
  });
  child.stderr.on("data", (chunk) => {
    said.all += chunk;
  });
  return { child, said };
}

/** Resolves with the output when the command ends, or, if it keeps running, when its output matches `awaited`. */
function runShell(
  text: string,
  env: NodeJS.ProcessEnv,
  at: string,
  background?: { awaited: RegExp; running: ChildProcess[] },
): Promise<string> {
  const { child, said } = shell(text, env);
  background?.running.push(child);
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      if (child.pid !== undefined) killTree(child.pid);
      reject(new Error(`${at}\ntook more than ${COMMAND_TIMEOUT_MS / 1000} s:\n${said.all}`));
    }, COMMAND_TIMEOUT_MS);
    const check = () => {
      if (background?.awaited.test(said.all) !== true) return;
      clearTimeout(timer);
      resolve(said.output);
    };
    child.stdout.on("data", check);
    child.stderr.on("data", check);
    child.on("close", (code) => {
      clearTimeout(timer);
      if (code === 0) resolve(said.output);
      else reject(new Error(`${at}\nexited with ${code}:\n${said.all}`));
    });
  });
}
