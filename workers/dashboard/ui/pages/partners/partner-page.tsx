import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { partnerRoutes } from "#workers/contracts/api/people/partners.ts";
import { read } from "../../api/queries.ts";
import { useViewer } from "../../api/session.ts";
import { Page } from "../../kit/layout/page.tsx";
import { Loaded } from "../../kit/states.tsx";
import { BrandingCard } from "./branding/branding-card.tsx";
import { PartnerMenu } from "./changes/partner-menu.tsx";
import { DomainsCard } from "./domains-card.tsx";
import { PartnerCard } from "./partner-card.tsx";

const route = getRouteApi("/shell/partners/$partnerId");
const ABOVE = [{ name: "Partners", to: "/partners" }];

export function PartnerPage() {
  const { partnerId } = route.useParams();
  const { isRoot } = useViewer();
  // What was typed for one partner is no other's.
  return isRoot ? <AsPlatformRoot key={partnerId} id={partnerId} /> : <AsPartnerRoot key={partnerId} id={partnerId} />;
}

function AsPlatformRoot({ id }: { id: string }) {
  const partner = useQuery(read(partnerRoutes.getPartner, { params: { id } }));
  const { data } = partner;
  return (
    <Page
      title={data?.name ?? "Partner"}
      crumbs={ABOVE}
      actions={data?.managed_by === "dashboard" ? <PartnerMenu partner={data} /> : undefined}
    >
      <Loaded query={partner}>
        {(found) => (
          <>
            <PartnerCard partner={found} />
            <BrandingCard partner={found} />
            <DomainsCard partnerId={found.id} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** The branding of their own partner; the API refuses any other's. */
function AsPartnerRoot({ id }: { id: string }) {
  const { partner } = useViewer();
  const name = partner?.id === id ? partner.name : "Partner";
  return (
    <Page title={name} about="How you look to your clients' people, and your hosts.">
      <BrandingCard partner={{ id, name }} />
      <DomainsCard partnerId={id} />
    </Page>
  );
}
