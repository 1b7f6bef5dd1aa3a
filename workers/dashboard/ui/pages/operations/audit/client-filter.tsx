import { useQuery } from "@tanstack/react-query";
import { clientRoutes } from "#workers/contracts/api/tenants/clients.ts";
import { read } from "#workers/dashboard/ui/api/queries.ts";
import { ClientBox } from "#workers/dashboard/ui/kit/form/client-box.tsx";

interface ClientFilterProps {
  /** Client id; the client may be deleted by now. */
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

export function ClientFilter({ value, onChange }: ClientFilterProps) {
  const chosen = useQuery({
    ...read(clientRoutes.getClient, { params: { client_id: value ?? "" } }),
    enabled: value !== undefined,
  });
  const deleted = value === undefined ? null : { id: value, name: "Deleted client", slug: "" };
  return (
    <ClientBox
      isFilter
      placeholder="Client: any"
      value={value === undefined ? null : (chosen.data ?? deleted)}
      onChange={(client) => onChange(client?.id)}
    />
  );
}
