import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { labelFault, slugFault } from "#domain/names/slug.ts";
import { clientRoutes } from "#workers/contracts/api/tenants/clients.ts";
import { read } from "#workers/dashboard/ui/api/queries.ts";
import { useViewer } from "#workers/dashboard/ui/api/session.ts";
import { clientAddress, instanceAddress } from "#workers/dashboard/ui/kit/addresses.ts";
import { ButtonLink } from "#workers/dashboard/ui/kit/button.tsx";
import { useDraft } from "#workers/dashboard/ui/kit/form/draft.ts";
import { usePaused } from "#workers/dashboard/ui/kit/form/paused.ts";
import { Card } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { Page } from "#workers/dashboard/ui/kit/layout/page.tsx";
import { Fault } from "#workers/dashboard/ui/kit/states.tsx";
import { Foreseen } from "./foreseen.tsx";
import { EMPTY, NewClientForm } from "./new-client-form.tsx";
import { useCreation } from "./use-creation.ts";

/** After the last letter, in milliseconds. */
const PAUSE_MS = 300;

export function NewClientPage() {
  const navigate = useNavigate();
  const { environment } = useViewer();
  const [draft, change, forget] = useDraft("client.new", EMPTY);
  const wanted = usePaused(draft.slug.trim(), PAUSE_MS);
  const creation = useCreation({
    onDone: (id, provisioned) => {
      forget();
      void navigate({ to: provisioned ? instanceAddress(id) : clientAddress(id) });
    },
  });
  const { made } = creation;
  const foreseen = useQuery({
    ...read(clientRoutes.previewClient, {
      query: { slug: wanted, billing_plan: draft.plan, partner_id: draft.partner || undefined },
    }),
    placeholderData: keepPreviousData,
    // From then on its slug is taken, by itself.
    enabled: made === undefined,
  });
  const slug = draft.slug.trim();
  const malformed = slug === "" ? undefined : (slugFault(slug) ?? labelFault(slug, environment));
  const told = foreseen.data?.slug === slug ? foreseen.data.faults : [];
  const taken = slug === "" ? undefined : told.find(({ of }) => of === "slug")?.message;
  const fault = malformed ?? taken;
  const noGateway = draft.provision && foreseen.data?.ai_gateway === null;
  const isReady = made !== undefined || (slug !== "" && fault === undefined && !noGateway);
  return (
    <Page
      title="New client"
      crumbs={[{ name: "Clients", to: "/clients" }]}
      about="A customer with one AI-agent gateway of its own."
    >
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <Card>
          <NewClientForm
            values={draft}
            onChange={change}
            slugFault={fault}
            creation={creation}
            ready={isReady}
            onGiveUp={forget}
          />
          {made === undefined || creation.busy ? null : (
            <div className="mt-4 flex flex-col gap-2">
              <p>The client {made.slug} is made; its instance is not:</p>
              <Fault error={creation.error} />
              <ButtonLink to={clientAddress(made.id)} className="self-start">
                Go on to the client
              </ButtonLink>
            </div>
          )}
        </Card>
        <Foreseen query={foreseen} provision={draft.provision} />
      </div>
    </Page>
  );
}
