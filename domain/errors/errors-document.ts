/** Writes the catalogue of errors for people: `docs/reference/errors.md`. */
import { errorAreas } from "./all.ts";
import { errorCodes } from "./codes.ts";

const INTRODUCTION = `# Errors

An error response is JSON: \`{ "error": { "code", "reason", "message", "details"? } }\`. Browsers get a page with the same message.

- \`code\` is the general kind of the error. It is stable: a code is never renamed or removed. So far no code has an alias.
- \`reason\` names the exact error. It is more specific than \`code\`, and stable too. A later version can add reasons, so handle an unknown one by its
  \`code\`.
- \`message\` is for people: what failed, why, and what to do. It can change. \`{name}\` in the tables stands for a value.
- \`details\` has data about the error, such as the faults by field of an \`invalid_request\`.

Commands print the reason after the message. Deployments and jobs show the message only.

This document is generated. After a change of \`domain/errors/\`, \`npm test -- domain/errors/errors-document -u\` writes it.
`;

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("<", "&lt;").replaceAll(/\n+/g, " ");
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");

/** The document, as Markdown. */
export function errorsDocument(): string {
  const entries = errorAreas.flatMap((area) => area.entries);
  const codes = Object.entries(errorCodes).map(([code, { status, cause, remedy }]) => {
    const reasons = entries.filter((entry) => entry.code === code).map(({ reason }) => `\`${reason}\``);
    return [`\`${code}\``, String(status), cell(cause), cell(remedy), reasons.join(", ")];
  });
  const areas = errorAreas.map(({ title, entries }) => {
    const rows = entries.map(({ reason, code, message, remedy }) => [
      `\`${reason}\``,
      code === undefined ? "" : `\`${code}\``,
      cell(message),
      cell(remedy),
    ]);
    return `## ${title}\n\n${table(["reason", "code", "message", "remedy"], rows)}\n`;
  });
  const general = `## Codes\n\n${table(["code", "status", "cause", "remedy", "reasons"], codes)}\n`;
  return [INTRODUCTION, general, ...areas].join("\n");
}
