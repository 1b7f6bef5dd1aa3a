/** Placeholders of a page's commands: words in capitals, for values that the reader supplies. */
import { shellCommands } from "./commands.ts";

/** Words in capitals, unless the shell, HTTP or the engine knows them. */
const PLACEHOLDER = /(?<![$\w{.-])[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*(?![\w=}:(-])/g;
const NO_PLACEHOLDERS = new Set(["DELETE", "EOF", "GET", "HEAD", "POST", "PUT"]);

/** Returns the placeholders of a command. */
export const placeholders = (command: string): string[] =>
  (command.match(PLACEHOLDER) ?? []).filter((word) => !NO_PLACEHOLDERS.has(word));

const asLine = (text: string) => text.replaceAll(/\s+/g, " ");

/** The text of the page that explains a value, or why an example is replaced. */
type Explained = { says: string } | { because: string };

/** Returns which values a page does not explain. @param page its text */
export function unexplained(page: string, given: Readonly<Record<string, Explained>>): string[] {
  const commands = shellCommands(page).map(({ text }) => text);
  const prose = asLine(page.replaceAll(/^( *)```[\s\S]*?^\1```$/gm, ""));
  const missing = new Set(commands.flatMap(placeholders).filter((word) => !(word in given)));
  const faults = [...missing].map((word) => `${word}: not declared`);
  for (const [word, one] of Object.entries(given)) {
    if (!commands.some((command) => command.includes(word))) faults.push(`${word}: no command has it`);
    const isPlaceholder = placeholders(word).includes(word);
    if (!("says" in one)) {
      if (isPlaceholder) faults.push(`${word}: declared without an explanation`);
      continue;
    }
    if (!prose.includes(asLine(one.says))) faults.push(`${word}: the page does not say "${one.says}"`);
    if (isPlaceholder && !one.says.includes(`\`${word}\``)) faults.push(`${word}: "${one.says}" does not name it`);
  }
  return faults;
}
