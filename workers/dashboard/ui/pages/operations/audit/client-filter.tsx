import { useQuery } from "@tanstack/react-query";
import { clientRoutes } from "#workers/contracts/api/tenants/clients.ts";
import { read } from "#workers/dashboard/ui/api/queries.ts";
import { ClientBox } from "#workers/dashboard/ui/kit/form/client-box.tsx";

export interface ClientFilterProps {
  /** Its id. */
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

/** One client, who may be gone since. */
export function ClientFilter({ value, onChange }: ClientFilterProps) {
  const chosen = useQuery({
    ...read(clientRoutes.getClient, { params: { client_id: value ?? "" } }),
    enabled: value !== undefined,
  });
  const gone = value === undefined ? null : { id: value, name: "A client that is gone", slug: "" };
  return (
    <ClientBox
      isFilter
      placeholder="Client: any"
      value={value === undefined ? null : (chosen.data ?? gone)}
      onChange={(client) => onChange(client?.id)}
    />
  );
}
