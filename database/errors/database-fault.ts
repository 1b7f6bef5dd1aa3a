/** Converts database errors to messages for users. No message contains the database's own text, names or values. */
import type { ErrorCode } from "#domain/errors/codes.ts";
import { databaseErrors } from "#domain/errors/database/faults.ts";
import { type StatedError, stateError } from "#domain/errors/stated.ts";
import { ALREADY_EXISTS, NOT_ALLOWED, RECORD_NAMES, REFERENCES } from "./constraint-errors.ts";
import { statedRule } from "./stated-rule.ts";

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

type Explained = StatedError<ErrorCode | undefined>;

export interface DatabaseFault {
  kind: FaultKind;
  /** SQLSTATE, or the system error code of a failed connection; may be empty. */
  state: string;
  /** Without a code for an error of the deployment. */
  error: Explained;
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

const CREDENTIALS = ["credentials", stateError(databaseErrors.database_credentials_rejected)] as const;
const SCHEMA = ["schema", stateError(databaseErrors.database_schema_missing)] as const;
const AGAIN = ["retry", stateError(databaseErrors.record_changed_meanwhile)] as const;

/** SQLSTATEs, then their classes (PostgreSQL: "Appendix A. PostgreSQL Error Codes"). */
const BY_CODE: Readonly<Record<string, readonly [FaultKind, Explained]>> = {
  "23P01": ["conflict", stateError(databaseErrors.record_conflicts)],
  "28000": CREDENTIALS,
  "28P01": CREDENTIALS,
  "3D000": ["schema", stateError(databaseErrors.database_missing)],
  "3F000": SCHEMA,
  "40001": AGAIN,
  "40P01": AGAIN,
  "42501": ["permission", stateError(databaseErrors.database_permission_denied)],
  "42703": SCHEMA,
  "42883": SCHEMA,
  "42P01": SCHEMA,
  "55P03": AGAIN,
  "57014": ["timeout", stateError(databaseErrors.database_timeout)],
};
const BY_CLASS: Readonly<Record<string, readonly [FaultKind, Explained]>> = {
  "08": ["unreachable", stateError(databaseErrors.database_connection_failed)],
  "22": ["invalid", stateError(databaseErrors.record_value_malformed)],
  "53": ["unreachable", stateError(databaseErrors.database_busy)],
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
  const { code: state } = error;
  if (STATED.has(state)) return { kind: "stated", state, error: statedRule(state, error.message) };
  if (STOPPING.test(state))
    return { kind: "unreachable", state, error: stateError(databaseErrors.database_restarting) };
  const [kind, explained] = BY_CODE[state] ?? violationMessage(error) ?? BY_CLASS[state.slice(0, 2)] ?? UNEXPECTED;
  return { kind, state, error: explained };
}

const UNEXPECTED = ["unexpected", stateError(databaseErrors.database_error)] as const;

function violationMessage({ code, table = "", constraint = "", detail = "" }: ServerError) {
  const known = RECORD_NAMES[table];
  const name = known ?? "record";
  switch (code) {
    case "23505":
      return [
        "conflict",
        ALREADY_EXISTS[constraint] ?? stateError(databaseErrors.record_already_exists, { name }),
      ] as const;
    case "23001":
    case "23503": {
      const { inUse, missing } = REFERENCES[constraint] ?? {
        inUse: stateError(databaseErrors.record_in_use, { type: known === undefined ? "" : ` (type: ${known})` }),
        missing: stateError(databaseErrors.record_reference_missing, { name }),
      };
      return ["conflict", code === "23001" || detail.includes("is still referenced") ? inUse : missing] as const;
    }
    case "23514":
      return [
        "invalid",
        NOT_ALLOWED[constraint] ?? stateError(databaseErrors.record_value_not_allowed, { name }),
      ] as const;
    case "23502":
      return ["invalid", stateError(databaseErrors.record_value_missing, { name })] as const;
    default:
      return undefined;
  }
}

function connectionFault(error: Error): DatabaseFault | undefined {
  const state = "code" in error && typeof error.code === "string" ? error.code : "";
  if (!UNREACHABLE.test(state) && !ENDED.test(error.message)) return undefined;
  const cause = state === "" ? "" : ` (${state})`;
  return { kind: "unreachable", state, error: stateError(databaseErrors.database_not_reachable, { cause }) };
}

/** Returns a message for users and, for an unexpected error, details for a log with the same ID; undefined for other errors. */
export function explainDatabaseError(error: unknown): { message: string; id?: string; detail?: string } | undefined {
  const fault = databaseFault(error);
  if (fault === undefined) return undefined;
  const { kind, state, error: explained } = fault;
  if (kind !== "unexpected") return { message: explained.message };
  const id = crypto.randomUUID();
  const detail = `${id}: ${error instanceof Error ? error.message : String(error)} (SQLSTATE ${state})`;
  return { message: `${databaseErrors.database_error.message} The log has the details under ${id}.`, id, detail };
}
