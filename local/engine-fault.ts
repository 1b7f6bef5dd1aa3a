/** What went wrong, in the words of whoever said it first, without the engine's report around it. */
import { CommandError } from "@pulumi/pulumi/automation/index.js";

const DIAGNOSTIC = /^\s*error: (.+(?:\n {4,}\S.*)*)/gm;

/** One clear message for an error of a run. */
export function engineFault(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (!(error instanceof CommandError)) return error.message;
  const sentences = [...error.message.matchAll(DIAGNOSTIC)]
    .map((match) => match[1]?.trim() ?? "")
    .filter((sentence) => !/^(update|preview|refresh) failed$|^an unhandled error occurred/.test(sentence));
  const unique = [...new Set(sentences)];
  return unique.length > 0
    ? `The deployment failed:\n${unique.map((sentence) => `  ${sentence}`).join("\n")}`
    : error.message;
}
