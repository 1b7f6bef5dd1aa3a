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
const CRUMBS = [{ name: "Partners", to: "/partners" }];

export function PartnerPage() {
  const { partnerId } = route.useParams();
  const { isRoot } = useViewer();
  // Keyed, so that drafts of one partner do not appear for another.
  return isRoot ? <PartnerForRoot key={partnerId} id={partnerId} /> : <OwnPartner key={partnerId} id={partnerId} />;
}

function PartnerForRoot({ id }: { id: string }) {
  const partner = useQuery(read(partnerRoutes.getPartner, { params: { id } }));
  const { data } = partner;
  return (
    <Page
      title={data?.name ?? "Partner"}
      crumbs={CRUMBS}
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

/** A partner root's own branding; the API refuses any other partner's. */
function OwnPartner({ id }: { id: string }) {
  const { partner } = useViewer();
  const name = partner?.id === id ? partner.name : "Partner";
  return (
    <Page title={name} about="Your branding and host names">
      <BrandingCard partner={{ id, name }} />
      <DomainsCard partnerId={id} />
    </Page>
  );
}
