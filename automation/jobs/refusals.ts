/** A job that cannot succeed: why, and what to do, in a sentence each. */
export class JobRefused extends Error {
  override name = "JobRefused";
}

/** A job with nothing left to do, which is cancelled: why, in a sentence. */
export class JobOvertaken extends Error {
  override name = "JobOvertaken";
}
