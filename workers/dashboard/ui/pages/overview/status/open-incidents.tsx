import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CircleCheck } from "lucide-react";
import { incidentRoutes } from "#workers/contracts/api/tenants/incidents.ts";
import { read } from "#workers/dashboard/ui/api/queries.ts";
import { clientAddress } from "#workers/dashboard/ui/kit/addresses.ts";
import { Ago } from "#workers/dashboard/ui/kit/time.tsx";
import { incidentName } from "../../operations/incidents/incident-names.ts";
import { StatusCard } from "./status-card.tsx";

const SHOWN = 4;

export function OpenIncidents() {
  const incidents = useQuery(read(incidentRoutes.listIncidents, { query: { open: "true", limit: SHOWN + 1 } }));
  return (
    <StatusCard title="Open incidents" to="/operations/incidents" more="Show all incidents" query={incidents}>
      {({ data }) =>
        data.length === 0 ? (
          <p className="flex items-center gap-2 text-quiet">
            <CircleCheck aria-hidden="true" className="size-4 text-good" /> No open incidents
          </p>
        ) : (
          <ul className="flex flex-col gap-1.5">
            {data.slice(0, SHOWN).map(({ id, client, kind, opened_at }) => (
              <li key={id} className="flex items-baseline gap-2">
                <Link to={clientAddress(client.id)} className="truncate font-medium text-text">
                  {client.slug}
                </Link>
                <span className="min-w-0 flex-1 truncate text-bad">{incidentName(kind)}</span>
                <span className="text-xs text-quiet">
                  <Ago at={opened_at} />
                </span>
              </li>
            ))}
            {data.length > SHOWN ? <li className="text-quiet">More…</li> : null}
          </ul>
        )
      }
    </StatusCard>
  );
}
