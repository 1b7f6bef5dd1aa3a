import { useQuery } from "@tanstack/react-query";
import { type Client, clientRoutes } from "#workers/contracts/api/tenants/clients.ts";
import { apiQuery } from "../api/queries.ts";
import { useTenant } from "../api/session.ts";
import { Notice } from "../kit/notice.tsx";
import { TextLink } from "../kit/text-link.tsx";
import { Ago, Moment } from "../kit/time.tsx";

/** Announces the deletion of the tenant, for ADMINs. */
export function DeletionNotice({ client: { name, delete_after } }: { client: Client }) {
  if (delete_after === null) return null;
  return (
    <Notice tone="bad" title={`${name} will be deleted`}>
      <p>
        On <Moment at={delete_after} /> (<Ago at={delete_after} long />
        ). <TextLink to="/danger">Undo or export</TextLink>
      </p>
    </Notice>
  );
}

/** The notice on a page that does not read the client. */
export function OwnDeletionNotice() {
  const params = { client_id: useTenant().client.id };
  const { data } = useQuery(apiQuery(clientRoutes.getClient, { params }));
  return data === undefined ? null : <DeletionNotice client={data} />;
}
