import type { DeletedHolder } from "#database/tenants/clients.ts";
import { clientErrors } from "#domain/errors/api/clients.ts";
import { type Failure, failure } from "../../http/failure.tsx";

/** Error for the form, as the end of a sentence. */
export const graceFault = ({ name, deleteAfter }: DeletedHolder): string =>
  `belongs to the deleted client ${name} until ${deleteAfter.toISOString()}; restore that client or end its grace period now on its settings page, or choose another slug`;

export function slugInGrace(slug: string, { id, deleteAfter }: DeletedHolder): Failure {
  const until = deleteAfter.toISOString();
  return failure(
    clientErrors.slug_in_grace_period,
    { slug, id, until },
    { details: { client_id: id, delete_after: until } },
  );
}
