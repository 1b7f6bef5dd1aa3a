import type { Properties } from "./properties.ts";

/**
 * An error whose message is written for the user. The engine shows the whole message. For other errors, it shows the result of
 * {@link Wording}, or the first line of the message.
 */
export class UserError extends Error {
  override name = "UserError";
  /** Shown only with the engine's option `--debug`. */
  readonly detail: string | undefined;

  /** @param message what failed, why, and what to do @param detail for the engine's debug log. Default: none */
  constructor(message: string, detail?: string) {
    super(message);
    this.detail = detail;
  }
}

/**
 * Thrown by `create` when the resource exists but is incomplete. The operation fails, and the engine keeps the resource in the state: the
 * next run updates or deletes it. In other operations, it fails with the message alone.
 */
export class PartialError extends Error {
  override name = "PartialError";
  readonly id: string;
  readonly outputs: Properties;

  /** @param outputs the outputs that are known @param reason message for the user */
  constructor(id: string, outputs: Properties, reason: string) {
    super(reason);
    this.id = id;
    this.outputs = outputs;
  }
}

/** An error as users see it. */
export interface ErrorMessage {
  message: string;
  /** Shown only with the engine's option `--debug`. Default: none. */
  detail?: string;
}

/** Converts an error of a library to a message for users. Returns undefined for an unknown error. */
export type Wording = (error: unknown) => string | ErrorMessage | undefined;

/**
 * Returns the message for users, without a stack: the message of a {@link UserError} or {@link PartialError}, or the result of `wording`, or
 * the first line of the error's message.
 */
export function explain(error: unknown, wording: Wording = () => undefined): ErrorMessage {
  if (error instanceof UserError)
    return error.detail === undefined ? { message: error.message } : { message: error.message, detail: error.detail };
  if (error instanceof PartialError) return { message: error.message };
  const worded = wording(error);
  if (worded !== undefined) return typeof worded === "string" ? { message: worded } : worded;
  const message = error instanceof Error ? error.message : String(error);
  return { message: message.split("\n", 1)[0] ?? "unknown error" };
}

/** Returns the message of {@link explain}. */
export const sentence = (error: unknown, wording?: Wording): string => explain(error, wording).message;
