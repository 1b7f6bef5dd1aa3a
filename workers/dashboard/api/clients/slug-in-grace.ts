import type { DeletedHolder } from "#database/tenants/clients.ts";
import { Failure } from "../../http/failure.tsx";

/** Error for the form, as the end of a sentence. */
export const graceFault = ({ name, deleteAfter }: DeletedHolder): string =>
  `belongs to the deleted client ${name} until ${deleteAfter.toISOString()}; restore that client or end its grace period now on its settings page, or choose another slug`;

export function slugInGrace(slug: string, { id, deleteAfter }: DeletedHolder): Failure {
  const until = deleteAfter.toISOString();
  return new Failure(
    "conflict",
    `The slug ${slug} belongs to a deleted client until ${until}. Restore that client (POST /client/${id}/restore), end its grace period now (DELETE /client/${id}?now=true), or choose another slug.`,
    { client_id: id, delete_after: until },
  );
}
