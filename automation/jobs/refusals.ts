import type { Named } from "#domain/errors/catalogue.ts";
import { type Carried, CatalogueError } from "#domain/errors/catalogue-error.ts";
/** A job that cannot succeed. */
export class JobRefused<const E extends Named | Carried = Named | Carried> extends CatalogueError<E> {
  override name = "JobRefused";
}

/** A job with nothing left to do, which is cancelled. */
export class JobOvertaken<const E extends Named = Named> extends CatalogueError<E> {
  override name = "JobOvertaken";
}
