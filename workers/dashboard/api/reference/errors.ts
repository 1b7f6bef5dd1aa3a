/** The errors of each operation, from the catalogue of codes. */
import type { ZodOpenApiMediaTypeObject, ZodOpenApiResponseObject } from "zod-openapi";
import { type ErrorCode, errorCodes } from "#domain/errors/codes.ts";
import { groupsBy } from "#domain/groups.ts";
import { ANYONE, admitsRoots, type Route } from "#workers/contracts/api/route.ts";
import { type ErrorBody, errorBody } from "#workers/contracts/errors.ts";
import type { Operation } from "./operations/section.ts";

/** Errors of every route. */
const ALWAYS: readonly ErrorCode[] = ["invalid_request", "tenant_unavailable", "internal"];
const WITH_CALLER: readonly ErrorCode[] = ["authentication_required", "access_denied", "forbidden"];
/** Codes whose responses have `Retry-After`. */
const TRANSIENT: ReadonlySet<ErrorCode> = new Set(["limit_exceeded", "tenant_unavailable"]);
const REUSED_KEY = "The `Idempotency-Key` was used for another request, or a concurrent request changed the same rows.";

export interface ErrorOfOperation {
  readonly code: ErrorCode;
  readonly status: number;
  /** In this operation. */
  readonly cause: string;
  readonly remedy: string;
  /** Whether the cause is that of the operation, not of the code. */
  readonly isOwn: boolean;
}

export const hasIdempotencyKey = ({ method, callers }: Route): boolean => method === "post" && admitsRoots(callers);

function codesOf(route: Route): readonly ErrorCode[] {
  const { callers, params, versioned, body, upload, refusals = [] } = route;
  return [
    ...new Set([
      ...ALWAYS,
      ...(callers === ANYONE ? [] : WITH_CALLER),
      ...(params === undefined ? [] : (["not_found"] as const)),
      ...(versioned ? (["precondition_failed"] as const) : []),
      ...(body || upload ? (["payload_too_large", "unsupported_media_type"] as const) : []),
      ...(hasIdempotencyKey(route) ? (["conflict"] as const) : []),
      ...refusals,
    ]),
  ];
}

/** Returns the errors of an operation, by status. */
export function errorsOf({ route, errors }: Operation): ErrorOfOperation[] {
  return codesOf(route)
    .map((code) => {
      const { status, cause, remedy } = errorCodes[code];
      const own = errors[code] ?? (code === "conflict" ? REUSED_KEY : undefined);
      return { code, status, cause: own ?? cause, remedy, isOwn: errors[code] !== undefined };
    })
    .toSorted((a, b) => a.status - b.status);
}

const DETAILS: Readonly<Partial<Record<ErrorCode, unknown>>> = {
  invalid_request: { name: ["Too big: expected string to have <=200 characters"] },
  precondition_failed: { version: 6 },
  managed_by_git: { file: "Pulumi.prod-acme.yaml" },
};

function exampleOf({ code, cause, remedy }: ErrorOfOperation) {
  const details = DETAILS[code];
  const value: ErrorBody = {
    error: { code, message: `${cause} ${remedy}`, ...(details === undefined ? {} : { details }) },
  };
  return { summary: code, value };
}

const seconds = {
  "Retry-After": { description: "Seconds to wait before the next attempt.", schema: { type: "integer", minimum: 1 } },
} as const;

/** Responses whose errors are the same in many operations. */
const shared = new Map<string, ZodOpenApiResponseObject>();

const pascalCase = (code: string) => code.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());

function responseOf(errors: readonly ErrorOfOperation[]): ZodOpenApiResponseObject {
  const examples = Object.fromEntries(errors.map((error) => [error.code, exampleOf(error)]));
  const content: ZodOpenApiMediaTypeObject = { schema: errorBody, examples };
  return {
    description: errors.map(({ code, cause, remedy }) => `- \`${code}\`: ${cause} ${remedy}`).join("\n"),
    ...(errors.some(({ code }) => TRANSIENT.has(code)) && { headers: seconds }),
    content: { "application/json": content },
  };
}

function sharedResponse(errors: readonly ErrorOfOperation[]): ZodOpenApiResponseObject {
  const id = errors.map(({ code }) => pascalCase(code)).join("Or");
  const response = shared.get(id) ?? { ...responseOf(errors), id };
  shared.set(id, response);
  return response;
}

/** Returns the error responses of an operation, by status. */
export function errorResponses(operation: Operation): Record<string, ZodOpenApiResponseObject> {
  const byStatus = groupsBy(errorsOf(operation), ({ status }) => String(status));
  return Object.fromEntries(
    [...byStatus].map(([status, errors]) => [
      status,
      errors.some(({ isOwn }) => isOwn) ? responseOf(errors) : sharedResponse(errors),
    ]),
  );
}
