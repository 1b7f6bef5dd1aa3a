/** Commands in the documents exist, with the options that they name. `pages.test.ts` runs those in the blocks of its pages. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { fleetArguments } from "#fleet/arguments.ts";
import { parseOptions } from "#local/start/options.ts";
import { shellCommands } from "./testing/commands.ts";
import { documents, ROOT } from "./testing/markdown.ts";
import { isSkipped } from "./testing/skipped.ts";

const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { scripts: Record<string, string> };

/** Programs of operators' machines, which are not ours to check. */
const OTHERS = [
  ...["cat", "cd", "cloudflared", "cp", "curl", "docker", "export", "jq", "kill", "mkdir", "node", "npm", "openclaw"],
  ...["printf", "read"],
];

/** Programs of npm packages. */
const TOOLS = ["tenantry-edge", "vitest", "wrangler"];

/** Stands for any command or secret in the documents. */
const PLACEHOLDER = /\b(?:COMMAND|SECRET)\b|…|^$/;

/** Checks a command. @throws with the reason why it cannot work */
function check(line: string): void {
  const [redirected = ""] = line.split(/ [<>|] /);
  const words = [...redirected.matchAll(/'[^']*'|"[^"]*"|\S+/g)].map(([word]) => word.replaceAll(/^['"]|['"]$/g, ""));
  while (/^[A-Z_]+=/.test(words[0] ?? "")) words.shift();
  const [program = "", first = "", second = ""] = words;
  const separator = words.indexOf("--");
  const options = separator < 0 ? [] : words.slice(separator + 1);
  if (program === "npm" && first === "start") {
    parseOptions(options);
    return;
  }
  if (program === "npm" && first === "run") {
    if (scripts[second] === undefined) throw new Error(`package.json has no script ${second}`);
    if (PLACEHOLDER.test(options.join(" "))) return;
    if (second === "fleet") fleetArguments(options);
    if (second === "pulumi") pulumi(options);
    return;
  }
  if (program === "npx" && first === "pulumi") {
    if (words.at(-1) !== "…") pulumi(words.slice(2));
  } else if (!(program === "npx" && TOOLS.includes(first)) && !OTHERS.includes(program)) {
    throw new Error(`${program} is not a known program`);
  }
}

/** Has the engine parse a command: it prints the command's help, or refuses an unknown command or option. */
function pulumi(words: readonly string[]): void {
  const help = execFileSync("pulumi", [...words, "--help"], { encoding: "utf8", stdio: "pipe" });
  if (/^ {2}pulumi \[command\]$/m.test(help)) throw new Error(`pulumi has no command ${words.join(" ")}`);
}

/** Fenced commands that are not run, and commands in inline code. */
const commandsOf = (name: string, text: string) => [
  ...shellCommands(text)
    .filter((command) => !IS_RUN.test(name) || isSkipped(name.slice("docs/".length), command.text))
    .map((command) => command.text.replace(/ +#.*$/, "")),
  ...[...text.matchAll(/`((?:npm (?:start|run)|npx pulumi) [^`]*)`/g)].map(([, inline = ""]) => inline),
];
const IS_RUN = /^docs\/(?:how-to\/|tutorial\.md)/;
const DOCUMENTS = documents().filter((name) => !name.startsWith("packages/") && name !== "CHANGELOG.md");

test.each(DOCUMENTS)("%s names commands that exist", (name) => {
  for (const command of commandsOf(name, readFileSync(join(ROOT, name), "utf8"))) {
    expect(() => check(command), command).not.toThrow();
  }
});

describe("a command that does not work is found", () => {
  test.each([
    ["npm run nothing", /no script nothing/],
    ["npm run fleet -- preview --nothing", /nothing/],
    ["npm run fleet -- nothing prod", /nothing/],
    ["npm start -- --nothing", /nothing/],
    ["npx pulumi nothing", /no command nothing/],
    ["npx pulumi up --nothing", /unknown flag/],
    ["nothing at all", /not a known program/],
  ])("%s", (command, reason) => expect(() => check(command)).toThrow(reason));
});
