/** Ends of a job that are no success. */

/** Why a job can never be done: what it fails with, and what to do, in a sentence each. */
export class JobRefused extends Error {
  override name = "JobRefused";
}

/** Why nothing is to be done any more: what the job is cancelled with, in a sentence. */
export class JobOvertaken extends Error {
  override name = "JobOvertaken";
}
