import { Link } from "@tanstack/react-router";
import { planLabel } from "#domain/plans/plan.ts";
import type { Client } from "#workers/contracts/api/tenants/clients.ts";
import { useViewer } from "#workers/dashboard/ui/api/session.ts";
import { instanceAddress, partnerAddress } from "#workers/dashboard/ui/kit/addresses.ts";
import { CopyButton } from "#workers/dashboard/ui/kit/copy.tsx";
import { Card, Facts, type FactsProps, factEntry } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { InstanceBadge } from "#workers/dashboard/ui/kit/state-badge.tsx";
import { Ago } from "#workers/dashboard/ui/kit/time.tsx";
import { ClientForm } from "./client-form.tsx";
import { type ClientTab, clientTab } from "./client-frame.tsx";
import { fieldFacts } from "./field-controls.tsx";
import { NoInstance } from "./no-instance.tsx";

export default clientTab("overview", Overview);

function Overview({ client }: ClientTab) {
  const { isRoot } = useViewer();
  const isEditable = client.managed_by === "dashboard" && client.delete_after === null;
  return (
    <div className="grid items-start gap-5 lg:grid-cols-2">
      <div className="flex flex-col gap-5">
        <Card title="Details">
          <Facts facts={factsOf(client, isRoot)} />
        </Card>
        {client.instance === null && isEditable ? <NoInstance client={client} /> : null}
      </div>
      {isEditable ? <ClientForm key={client.id} client={client} /> : null}
    </div>
  );
}

const Quiet = ({ children }: { children: string }) => <span className="text-quiet">{children}</span>;

function factsOf(client: Client, isRoot: boolean): FactsProps["facts"] {
  const { slug, instance } = client;
  return [
    factEntry(
      "Slug",
      <span className="-my-1 flex items-center gap-1">
        {slug} <CopyButton text={slug} what="slug" />
      </span>,
    ),
    factEntry("Plan", planLabel(client.billing_plan)),
    factEntry("Partner", <Partner partner={client.partner} isRoot={isRoot} />),
    factEntry(
      "Instance",
      instance === null ? (
        <Quiet>None yet</Quiet>
      ) : (
        <Link to={instanceAddress(client.id)} className="inline-flex text-text">
          <InstanceBadge state={instance.status} />
        </Link>
      ),
    ),
    factEntry("AI gateway", <Gateway instance={instance} />),
    ...fieldFacts(client),
    factEntry("Created", <Ago at={client.created_at} />),
    factEntry("Updated", <Ago at={client.updated_at} />),
  ];
}

function Partner({ partner, isRoot }: { partner: Client["partner"]; isRoot: boolean }) {
  if (partner === null) return <Quiet>None (internal)</Quiet>;
  if (!isRoot) return partner.name;
  return (
    <Link to={partnerAddress(partner.id)} className="text-accent underline">
      {partner.name}
    </Link>
  );
}

function Gateway({ instance }: { instance: Client["instance"] }) {
  if (instance === null || instance.ai_gateway_id === null) return <Quiet>None</Quiet>;
  return (
    <span className="break-all">
      {instance.ai_gateway_id} <Quiet>{instance.ai_gateway_pooled ? "(shared)" : "(dedicated)"}</Quiet>
    </span>
  );
}
