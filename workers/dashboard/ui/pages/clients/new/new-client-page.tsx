import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { labelFault, newSlugFault } from "#domain/names/slug.ts";
import { clientRoutes } from "#workers/contracts/api/tenants/clients.ts";
import { apiQuery } from "#workers/dashboard/ui/api/queries.ts";
import { useViewer } from "#workers/dashboard/ui/api/session.ts";
import { clientAddress, instanceAddress } from "#workers/dashboard/ui/kit/addresses.ts";
import { ButtonLink } from "#workers/dashboard/ui/kit/button.tsx";
import { useDebounced } from "#workers/dashboard/ui/kit/form/debounced.ts";
import { useDraft } from "#workers/dashboard/ui/kit/form/draft.ts";
import { Card } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { Page } from "#workers/dashboard/ui/kit/layout/page.tsx";
import { Fault } from "#workers/dashboard/ui/kit/states.tsx";
import { ClientPreview } from "./client-preview.tsx";
import { EMPTY, NewClientForm } from "./new-client-form.tsx";
import { useCreation } from "./use-creation.ts";

const DEBOUNCE_MS = 300;

export default function NewClientPage() {
  const navigate = useNavigate();
  const { environment } = useViewer();
  const [draft, change, discard] = useDraft("client.new", EMPTY);
  const wanted = useDebounced(draft.slug.trim(), DEBOUNCE_MS);
  const creation = useCreation({
    onDone: (id, provisioned) => {
      discard();
      void navigate({ to: provisioned ? instanceAddress(id) : clientAddress(id) });
    },
  });
  const { created } = creation;
  const preview = useQuery({
    ...apiQuery(clientRoutes.previewClient, {
      query: { slug: wanted, billing_plan: draft.plan, partner_id: draft.partner || undefined },
    }),
    placeholderData: keepPreviousData,
    // Once created, the client itself occupies the slug.
    enabled: created === undefined,
  });
  const slug = draft.slug.trim();
  const malformed = slug === "" ? undefined : (newSlugFault(slug) ?? labelFault(slug, environment));
  const faults = preview.data?.slug === slug ? preview.data.faults : [];
  const taken = slug === "" ? undefined : faults.find(({ of }) => of === "slug")?.message;
  const fault = malformed ?? taken;
  const noGateway = draft.provision && preview.data?.ai_gateway === null;
  const isReady = created !== undefined || (slug !== "" && fault === undefined && !noGateway);
  return (
    <Page
      title="Create client"
      crumbs={[{ name: "Clients", to: "/clients" }]}
      about="A customer with its own AI-agent gateway."
    >
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <Card>
          <NewClientForm
            values={draft}
            onChange={change}
            slugFault={fault}
            creation={creation}
            ready={isReady}
            onDiscard={discard}
          />
          {created === undefined || creation.busy ? null : (
            <div className="mt-4 flex flex-col gap-2">
              <p>Client {created.slug} created. Failed to provision its instance:</p>
              <Fault error={creation.error} />
              <ButtonLink to={clientAddress(created.id)} className="self-start">
                Go to client
              </ButtonLink>
            </div>
          )}
        </Card>
        <ClientPreview query={preview} provision={draft.provision} />
      </div>
    </Page>
  );
}
