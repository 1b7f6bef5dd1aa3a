/** Errors that the platform's functions in the database raise, as errors of the catalogue. */
import type { ErrorCode } from "#domain/errors/codes.ts";
import { ruleErrors } from "#domain/errors/database/rules.ts";
import { type HttpError, type StatedError, stateError } from "#domain/errors/stated.ts";

/** Prefix of messages with a code for programs. */
const NAMED = /^no_\w+_capacity: /;

const uncapitalized = (text: string) =>
  /^[A-Z]{2}/.test(text) ? text : `${text.charAt(0).toLowerCase()}${text.slice(1)}`;
const capitalized = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** Returns an entry's text as the SQL states it: `message; remedy`. */
export const sqlTextOf = ({ message, remedy }: HttpError): string =>
  `${uncapitalized(message.slice(0, -1))}; ${uncapitalized(remedy.slice(0, -1))}`;

const RULES = Object.values<HttpError>(ruleErrors).map((entry) => {
  const escaped = sqlTextOf(entry).replaceAll(/[.*+?^$()|[\]\\]/g, "\\$&");
  return { entry, pattern: new RegExp(`^${escaped.replaceAll(/\{(\w+)\}/g, "(?<$1>.*?)")}$`, "s") };
});

/** Codes of SQLSTATEs; others are conflicts. */
const CODES: Readonly<Record<string, ErrorCode>> = {
  TN002: "no_ai_gateway_capacity",
  TN009: "forbidden",
  TN030: "no_account_capacity",
  TN050: "limit_exceeded",
  TN051: "invalid_request",
  TN052: "invalid_request",
};

/** Returns the error of a raised message. An unknown one is of a database of another version. */
export function statedRule(state: string, raised: string): StatedError {
  const text = raised.replace(NAMED, "");
  for (const { entry, pattern } of RULES) {
    const found = pattern.exec(text);
    if (found !== null) return stateError(entry, found.groups ?? {});
  }
  const { code, reason } = ruleErrors.rule_of_database;
  return { code: CODES[state] ?? code, reason, message: `${capitalized(text)}.` };
}
