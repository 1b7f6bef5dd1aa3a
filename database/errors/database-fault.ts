/** Converts database errors to messages for users. No message contains the database's own text, names or values. */
import { ALREADY_EXISTS, NOT_ALLOWED, RECORD_NAMES, REFERENCES } from "./constraint-messages.ts";

/** `stated` faults have one of the platform's codes and a message for users; `unexpected` ones need an ID and a log entry. */
export type FaultKind =
  | "conflict"
  | "invalid"
  | "permission"
  | "retry"
  | "timeout"
  | "unreachable"
  | "credentials"
  | "schema"
  | "stated"
  | "unexpected";

export interface DatabaseFault {
  kind: FaultKind;
  /** SQLSTATE, or the system error code of a failed connection; may be empty. */
  code: string;
  message: string;
}

interface ServerError extends Error {
  code: string;
  severity: string;
  detail?: string;
  table?: string;
  constraint?: string;
}

const isServerError = (error: Error): error is ServerError =>
  "severity" in error && "code" in error && typeof error.code === "string";

/** The platform's codes with messages for users; its other codes report a program error. */
const STATED = new Set(["TN001", "TN002", "TN003", "TN005", "TN008", "TN009", "TN030", "TN050", "TN051", "TN052"]);
/** Prefix of messages with a code for programs. */
const NAMED = /^no_\w+_capacity: /;

const AGAIN = "Another change to the same data was in progress. Try again.";

/** SQLSTATEs, then their classes (PostgreSQL: "Appendix A. PostgreSQL Error Codes"). */
const BY_CODE: Readonly<Record<string, readonly [FaultKind, string]>> = {
  "23P01": ["conflict", "This conflicts with existing data. Change the values and try again."],
  "28000": ["credentials", "The database rejected the user or password. Check the database URL."],
  "28P01": ["credentials", "The database rejected the user or password. Check the database URL."],
  "3D000": ["schema", "The database in the database URL does not exist. Create it, or correct the URL."],
  "3F000": ["schema", "The database does not have the schema of this version. Deploy the platform's stack first."],
  "40001": ["retry", AGAIN],
  "40P01": ["retry", AGAIN],
  "42501": ["permission", "Permission denied."],
  "42703": ["schema", "The database does not have the schema of this version. Deploy the platform's stack first."],
  "42883": ["schema", "The database does not have the schema of this version. Deploy the platform's stack first."],
  "42P01": ["schema", "The database does not have the schema of this version. Deploy the platform's stack first."],
  "55P03": ["retry", AGAIN],
  "57014": ["timeout", "The database took too long to answer. Try again."],
};
const BY_CLASS: Readonly<Record<string, readonly [FaultKind, string]>> = {
  "08": ["unreachable", "The connection to the database failed. Try again."],
  "22": ["invalid", "A value is out of range or has the wrong format. Correct it and try again."],
  "53": ["unreachable", "The database has no free resources. Try again later."],
};
const STOPPING = /^57P/;
const UNREACHABLE = /^(ECONN|EPIPE|ENOTFOUND|ETIMEDOUT|EHOSTUNREACH|EAI_AGAIN)/;
/** The driver's messages for a closed connection. */
const ENDED =
  /^(Connection terminated|Network connection lost|timeout expired|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error)/;

/** Describes an error of the database or its connection; returns undefined for any other error. */
export function databaseFault(error: unknown): DatabaseFault | undefined {
  if (!(error instanceof Error)) return undefined;
  if (!isServerError(error)) return connectionFault(error);
  const { code } = error;
  if (STATED.has(code)) return { kind: "stated", code, message: asSentence(error.message.replace(NAMED, "")) };
  if (STOPPING.test(code)) return { kind: "unreachable", code, message: "The database is restarting. Try again." };
  const [kind, message] = BY_CODE[code] ?? violationMessage(error) ?? BY_CLASS[code.slice(0, 2)] ?? UNEXPECTED;
  return { kind, code, message };
}

const UNEXPECTED = ["unexpected", "The database reported an unexpected error."] as const;

function violationMessage({ code, table = "", constraint = "", detail = "" }: ServerError) {
  const known = RECORD_NAMES[table];
  const name = known ?? "record";
  switch (code) {
    case "23505":
      return ["conflict", ALREADY_EXISTS[constraint] ?? `The same ${name} already exists. Change the values.`] as const;
    case "23001":
    case "23503": {
      const { inUse, missing } = REFERENCES[constraint] ?? {
        inUse: `Other records${known === undefined ? "" : ` (type: ${known})`} still refer to it. Remove them first.`,
        missing: `The ${name} refers to a record that does not exist. Check the values.`,
      };
      return ["conflict", code === "23001" || detail.includes("is still referenced") ? inUse : missing] as const;
    }
    case "23514":
      return [
        "invalid",
        NOT_ALLOWED[constraint] ?? `A value of the ${name} is not allowed. Check the values.`,
      ] as const;
    case "23502":
      return ["invalid", `A required value of the ${name} is missing.`] as const;
    default:
      return undefined;
  }
}

function connectionFault(error: Error): DatabaseFault | undefined {
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  if (!UNREACHABLE.test(code) && !ENDED.test(error.message)) return undefined;
  const why = code === "" ? "" : ` (${code})`;
  return {
    kind: "unreachable",
    code,
    message: `Failed to connect to the database${why}. Check that it runs and that its URL is correct.`,
  };
}

function asSentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** Returns a message for users and, for an unexpected error, details for a log with the same ID; undefined for other errors. */
export function explainDatabaseError(error: unknown): { message: string; id?: string; detail?: string } | undefined {
  const fault = databaseFault(error);
  if (fault === undefined) return undefined;
  if (fault.kind !== "unexpected") return { message: fault.message };
  const id = crypto.randomUUID();
  const detail = `${id}: ${error instanceof Error ? error.message : String(error)} (SQLSTATE ${fault.code})`;
  return { message: `${fault.message} The log has the details under ${id}.`, id, detail };
}
