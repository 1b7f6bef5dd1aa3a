import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Pencil, Trash2 } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { type Partner, partnerRoutes } from "#workers/contracts/api/people/partners.ts";
import { apiQuery } from "../../api/queries.ts";
import { useViewer } from "../../api/session.ts";
import { Button } from "../../kit/button.tsx";
import { formatNumber } from "../../kit/format.ts";
import { Card, Facts, factEntry } from "../../kit/layout/card.tsx";
import { Page } from "../../kit/layout/page.tsx";
import { Loaded } from "../../kit/states.tsx";
import { Ago } from "../../kit/time.tsx";
import { BrandingCard } from "./branding/branding-editor.tsx";
import { DomainsCard } from "./domains-card.tsx";
import { EgressCard } from "./egress-card.tsx";

const route = getRouteApi("/shell/partners/$partnerId");
const CRUMBS = [{ name: "Partners", to: "/partners" }];

export default function PartnerPage() {
  const { partnerId } = route.useParams();
  const { isRoot } = useViewer();
  // Keyed, so that drafts of one partner do not appear for another.
  return isRoot ? <PartnerForRoot key={partnerId} id={partnerId} /> : <OwnPartner key={partnerId} id={partnerId} />;
}

function PartnerForRoot({ id }: { id: string }) {
  const partner = useQuery(apiQuery(partnerRoutes.getPartner, { params: { id } }));
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
            <EgressCard partnerId={found.id} />
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
    <Page title={name} about="Your branding, host names and network policy">
      <BrandingCard partner={{ id, name }} />
      <DomainsCard partnerId={id} />
      <EgressCard partnerId={id} />
    </Page>
  );
}

function PartnerCard({ partner }: { partner: Partner }) {
  const { id, slug, clients, managed_by, declared_in, created_at, updated_at } = partner;
  return (
    <Card>
      <div className="grid gap-x-6 gap-y-2 md:grid-cols-2">
        <Facts
          facts={[
            factEntry("Slug", slug),
            factEntry(
              "Clients",
              <Link to="/clients" search={{ partner: id }} className="text-accent">
                {formatNumber(clients)}
              </Link>,
            ),
          ]}
        />
        <Facts facts={[factEntry("Created", <Ago at={created_at} />), factEntry("Updated", <Ago at={updated_at} />)]} />
      </div>
      {managed_by === "git" ? (
        <p className="mt-3 text-quiet">
          Managed in Git: to rename or remove the partner, change {declared_in ?? "the stack's settings file"} and
          deploy the stack. Change its branding here.
        </p>
      ) : null}
    </Card>
  );
}

const EditPartner = lazy(() => import("./changes/edit-partner.tsx"));
const DeletePartner = lazy(() => import("./changes/delete-partner.tsx"));

function PartnerMenu({ partner }: { partner: Partner }) {
  const [open, setOpen] = useState<"edit" | "delete">();
  const close = () => setOpen(undefined);
  return (
    <>
      <Button onClick={() => setOpen("edit")}>
        <Pencil aria-hidden="true" /> Edit partner
      </Button>
      <Button onClick={() => setOpen("delete")}>
        <Trash2 aria-hidden="true" /> Delete partner…
      </Button>
      <Suspense>
        {open === "edit" ? <EditPartner partner={partner} onClose={close} /> : null}
        {open === "delete" ? <DeletePartner partner={partner} onClose={close} /> : null}
      </Suspense>
    </>
  );
}
