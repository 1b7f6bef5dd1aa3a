import type { Properties } from "./properties.ts";

/** An error whose message is already the one sentence the user shall read. */
export class UserError extends Error {
  override name = "UserError";
  /** For the engine's debug log alone. */
  readonly detail: string | undefined;

  constructor(message: string, detail?: string) {
    super(message);
    this.detail = detail;
  }
}

/**
 * The resource exists, but is not as it should be: the engine keeps its id, and the next run goes on from there.
 * `reason` is one sentence.
 */
export class PartialError extends Error {
  override name = "PartialError";
  readonly id: string;
  readonly outputs: Properties;

  constructor(id: string, outputs: Properties, reason: string) {
    super(reason);
    this.id = id;
    this.outputs = outputs;
  }
}

/** A message for people, and the detail that only the engine's debug log gets. Default: no detail. */
export interface Worded {
  message: string;
  detail?: string;
}

/** How a provider words errors of the libraries it calls; undefined for one it does not know. */
export type Wording = (error: unknown) => string | Worded | undefined;

/** What is told of an error: worded by `wording` where it can be, else its first line. Never a stack. */
export function explain(error: unknown, wording: Wording = () => undefined): Worded {
  if (error instanceof UserError)
    return error.detail === undefined ? { message: error.message } : { message: error.message, detail: error.detail };
  if (error instanceof PartialError) return { message: error.message };
  const worded = wording(error);
  if (worded !== undefined) return typeof worded === "string" ? { message: worded } : worded;
  const message = error instanceof Error ? error.message : String(error);
  return { message: message.split("\n", 1)[0] ?? "unknown error" };
}

/** The message of {@link explain}. */
export const sentence = (error: unknown, wording?: Wording): string => explain(error, wording).message;
