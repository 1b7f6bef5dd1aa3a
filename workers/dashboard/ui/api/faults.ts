/** What can come of a call beside its answer. */
import { type ErrorCode, errorBody } from "#workers/contracts/errors.ts";

/** The API refused. Its message names the remedy. */
export class Refused extends Error {
  override name = "Refused";
  readonly code: ErrorCode;
  readonly status: number;
  readonly details: unknown;
  /** After how many seconds to try again; undefined where nothing was said. */
  readonly retryAfter: number | undefined;

  constructor(status: number, { code, message, details }: typeof errorBody._output.error, retryAfter?: number) {
    super(message);
    this.code = code;
    this.status = status;
    this.details = details;
    this.retryAfter = retryAfter;
  }
}

/** The log-in is over: nobody was asked, nothing was done. */
export class SessionEnded extends Error {
  override name = "SessionEnded";
  constructor() {
    super("Your log-in has ended. Log in again; what you typed is kept.");
  }
}

/** No answer, or none of ours. Whether a change was made is not known. */
export class Unanswered extends Error {
  override name = "Unanswered";
  /** Whether it was waited for as long as anybody waits. */
  readonly isOverdue: boolean;

  constructor(message: string, { isOverdue = false } = {}) {
    super(message);
    this.isOverdue = isOverdue;
  }
}

/** @param response one whose status says that it failed */
export async function faultOf(response: Response): Promise<Error> {
  const told = errorBody.safeParse(await response.json().catch(() => undefined));
  if (!told.success) {
    return new Unanswered(
      `The dashboard answered ${response.status} without saying why. Try again; if it stays so, ask whoever runs the platform.`,
    );
  }
  const { error } = told.data;
  if (error.code === "authentication_required") return new SessionEnded();
  const after = Number(response.headers.get("retry-after") ?? Number.NaN);
  return new Refused(response.status, error, Number.isFinite(after) ? after : undefined);
}

/** What is wrong with each part of what was sent, by its name: as `invalid_request` tells it. */
export function fieldFaults(error: unknown): Readonly<Record<string, string>> {
  if (!(error instanceof Refused) || typeof error.details !== "object" || error.details === null) return {};
  return Object.fromEntries(
    Object.entries(error.details).flatMap(([name, told]): [string, string][] => {
      const first: unknown = Array.isArray(told) ? told[0] : told;
      return typeof first === "string" ? [[name, first]] : [];
    }),
  );
}
