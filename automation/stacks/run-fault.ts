/** What a run's failure means for the job that ordered it. */
import type { RunFailed } from "../engine/runs.ts";
import { JobRefused } from "../jobs/refusals.ts";
import { TaskError } from "../task.ts";

/** Tries at what may pass by itself. */
const MOST_TRIES = 4;

/** Faults that may pass: of the network, of a server, or for being too quick. */
const PASSING =
  /\b(429|5\d\d)\b|timed? ?out|ECONN|EAI_AGAIN|socket hang up|connection (refused|reset)|rate limit|try again/i;

/** An account that may hold no more of something, in the vendor's words for it. */
const FULL =
  /\b(limit|quota|maximum)\b[^.\n]{0,80}\b(reached|exceeded|allowed)\b|\b(exceed(s|ed)?|reached)\b[^.\n]{0,80}\b(limit|quota|maximum)\b|too many (?!requests)/i;
/** By such words a server says that somebody was too quick. */
const TOO_QUICK = /rate limit|too many requests|requests? (limit|quota)/i;

const MAKE_ROOM =
  "The account may hold no more of that: remove what nobody needs, or have the vendor raise the limit; GET /capacity tells what there is. Then ask again.";

/** @param attempt of the job, from 1 @returns JobRefused for what does not pass by itself, TaskError for what may */
export function runFault({ why, message }: Pick<RunFailed, "why" | "message">, attempt: number): Error {
  if (why === "ended") return new TaskError("The automation service was ended; the next one goes on from here.");
  if (why === "locked") {
    return new TaskError(
      `${message} It goes on when that has ended; where it is dead, free the stack: \`npm run fleet -- recover STACK --force\`.`,
    );
  }
  // Trying again would find it as full.
  if (FULL.test(message) && !TOO_QUICK.test(message)) return new JobRefused(`${message} ${MAKE_ROOM}`);
  if (attempt < MOST_TRIES && (why === "died" || PASSING.test(message))) return new TaskError(message);
  return new JobRefused(message);
}
