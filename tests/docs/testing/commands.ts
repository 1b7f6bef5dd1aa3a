/** Shell commands of a document, with their lines. */
import { spawnSync } from "node:child_process";

export interface Command {
  /** In the document, from 1. */
  line: number;
  text: string;
}

const FENCE = /^(\s*)```(\w*)\s*$/;
const SHELLS = ["sh", "bash"];
const HERE_DOCUMENT = /<<-?\s*'?(\w+)'?/;

/** Returns the commands of all `sh` and `bash` blocks, in order. A command ends where the shell can parse it. */
export function shellCommands(markdown: string): Command[] {
  const found: Command[] = [];
  let block: { indent: number; isShell: boolean } | undefined;
  let open: Command | undefined;
  for (const [index, line] of markdown.split("\n").entries()) {
    const [, indent = "", language = ""] = FENCE.exec(line) ?? [];
    if (FENCE.test(line)) {
      if (open !== undefined) throw new Error(`Line ${open.line} starts a command that does not end in its block.`);
      block = block === undefined ? { indent: indent.length, isShell: SHELLS.includes(language) } : undefined;
      continue;
    }
    if (!block?.isShell) continue;
    const text = line.slice(block.indent);
    if (open === undefined && (text.trim() === "" || text.startsWith("#"))) continue;
    open = open === undefined ? { line: index + 1, text } : { line: open.line, text: `${open.text}\n${text}` };
    if (!isComplete(open.text)) continue;
    found.push(open);
    open = undefined;
  }
  return found;
}

function isComplete(text: string): boolean {
  if (text.endsWith("\\")) return false;
  const [, end] = HERE_DOCUMENT.exec(text) ?? [];
  if (end !== undefined && !text.split("\n").slice(1).includes(end)) return false;
  return spawnSync("bash", ["-n", "-c", text]).status === 0;
}
