import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { type AiGateway, aiGatewayRoutes } from "#workers/contracts/api/tenants/ai-gateways.ts";
import { apiQuery } from "../../api/queries.ts";
import { useViewer } from "../../api/session.ts";
import { Badge } from "../../kit/badge.tsx";
import { Meter } from "../../kit/chart/meter.tsx";
import { Card, Facts, factEntry } from "../../kit/layout/card.tsx";
import { Page } from "../../kit/layout/page.tsx";
import { RootsOnly } from "../../kit/roots-only.tsx";
import { Loaded } from "../../kit/states.tsx";
import { Ago } from "../../kit/time.tsx";
import { BoundInstances } from "./bound-instances.tsx";
import { EntryMenu } from "./entry-menu.tsx";
import { foreignOwnerHint, ownerName } from "./entry-owner.ts";
import { EntrySwitch } from "./entry-switch.tsx";

const route = getRouteApi("/shell/gateways/$gatewayId");
const CRUMBS = [{ name: "AI gateways", to: "/gateways" }];

const GatewayPage = () => <RootsOnly title="AI gateway">{() => <Gateway />}</RootsOnly>;

function Gateway() {
  const { gatewayId: id } = route.useParams();
  const navigate = route.useNavigate();
  const { environment } = useViewer();
  const entry = useQuery(apiQuery(aiGatewayRoutes.getAiGateway, { params: { id } }));
  const isOwn = entry.data !== undefined && foreignOwnerHint(entry.data, environment) === undefined;
  return (
    <Page
      title={entry.data?.gateway_id ?? "AI gateway"}
      crumbs={CRUMBS}
      beside={
        entry.data === undefined ? undefined : (
          <Badge tone={entry.data.enabled ? "good" : "quiet"}>{entry.data.enabled ? "Open" : "Closed"}</Badge>
        )
      }
      actions={
        isOwn ? <EntryMenu entry={entry.data} onDeleted={() => void navigate({ to: "/gateways" })} /> : undefined
      }
    >
      <Loaded query={entry}>
        {(data) => (
          <>
            <EntryCard entry={data} />
            <BoundInstances entry={data} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function EntryCard({ entry }: { entry: AiGateway }) {
  const { environment: here } = useViewer();
  const hint = foreignOwnerHint(entry, here);
  return (
    <Card>
      <div className="grid gap-6 md:grid-cols-2">
        <div className="flex flex-col gap-4">
          <Meter label="Instances" value={entry.bound} max={entry.max_instances} />
          {hint === undefined ? (
            <div className="flex items-center gap-2.5">
              <EntrySwitch entry={entry} />
              <span>Open to new tenants</span>
            </div>
          ) : (
            <p className="text-quiet">{hint}</p>
          )}
        </div>
        <Facts
          facts={[
            factEntry("Environment", entry.environment ?? "Any"),
            factEntry("Managed by", ownerName(entry, here)),
            factEntry("Added", <Ago at={entry.created_at} />),
            factEntry("Updated", <Ago at={entry.updated_at} />),
          ]}
        />
      </div>
    </Card>
  );
}

export default GatewayPage;
