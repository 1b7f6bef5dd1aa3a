import { jobErrors } from "#domain/errors/service/automation-jobs.ts";
import type { RunFailed } from "../engine/runs.ts";
import { JobRefused } from "../jobs/refusals.ts";
import { TaskError } from "../task.ts";

/** Attempts for faults that may be temporary. */
const MAX_ATTEMPTS = 4;

/** Temporary faults: of the network, of a server, or a rate limit, also in Cloudflare's words for its codes 971 and 10013. */
const TEMPORARY =
  /\b(429|5\d\d)\b|timed? ?out|ECONN|EAI_AGAIN|socket hang up|connection (refused|reset)|cannot be reached|rate limit|throttling|unknown error|try again/i;

/** A bucket whose creation had a lost response. The next attempt adopts it. */
const OWN_BUCKET = /bucket\b[^.\n]*\balready exists, and you own it/i;

/** A limit of the account, in Cloudflare's various wordings. */
const FULL =
  /\b(limit|quota|maximum)\b[^.\n]{0,80}\b(reached|exceeded|allowed)\b|\b(exceed(s|ed)?|reached)\b[^.\n]{0,80}\b(limit|quota|maximum)\b|too many (?!requests)/i;
const RATE_LIMIT = /rate limit|too many requests|requests? (limit|quota)/i;

/** @param attempt of the job, from 1 @returns JobRefused if a retry does not help, TaskError if it may */
export function runFault({ why, message }: Pick<RunFailed, "why" | "message">, attempt: number): Error {
  if (why === "ended") return new TaskError(jobErrors.service_stopped);
  if (why === "locked") return new TaskError(jobErrors.job_stack_locked, { fault: message });
  if (FULL.test(message) && !RATE_LIMIT.test(message)) {
    return new JobRefused(jobErrors.deployment_exceeds_account, { fault: message });
  }
  const mayPass = why === "died" || TEMPORARY.test(message) || OWN_BUCKET.test(message);
  if (attempt < MAX_ATTEMPTS && mayPass) return new TaskError({ message });
  return new JobRefused({ message });
}
