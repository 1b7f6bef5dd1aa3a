import { useInfiniteQuery } from "@tanstack/react-query";
import { Plus, Trash2 } from "lucide-react";
import { MAX_LIMIT } from "#workers/contracts/api/paging.ts";
import { type PartnerDomain, partnerRoutes } from "#workers/contracts/api/people/partners.ts";
import { useChange } from "../../api/change.ts";
import { fieldFaults } from "../../api/faults.ts";
import { readPages } from "../../api/queries.ts";
import { useViewer } from "../../api/session.ts";
import { Badge } from "../../kit/badge.tsx";
import { Button } from "../../kit/button.tsx";
import { useDraft } from "../../kit/form/draft.ts";
import { TextField } from "../../kit/form/field.tsx";
import { Card } from "../../kit/layout/card.tsx";
import { PagedTable } from "../../kit/list/paged-table.tsx";
import type { Column } from "../../kit/list/table.tsx";
import { Empty, Fault } from "../../kit/states.tsx";
import { Ago } from "../../kit/time.tsx";

const columns: readonly Column<PartnerDomain>[] = [
  { header: "Host", share: 2, cell: ({ hostname }) => hostname },
  {
    header: "State",
    share: 1.6,
    cell: ({ verified_at }) =>
      verified_at === null ? <Badge>Not verified</Badge> : <Badge tone="good">Verified</Badge>,
  },
  { header: "Added", from: "md", cell: ({ created_at }) => <Ago at={created_at} /> },
];

export function DomainsCard({ partnerId }: { partnerId: string }) {
  const { isRoot } = useViewer();
  const domains = useInfiniteQuery(
    readPages(partnerRoutes.listPartnerDomains, { params: { partner_id: partnerId }, query: { limit: MAX_LIMIT } }),
  );
  const buttons: Column<PartnerDomain> = {
    header: "Actions",
    width: 68,
    right: true,
    cell: (domain) => <RemoveDomain partnerId={partnerId} domain={domain} />,
  };
  return (
    <Card flush title="Hosts" about="Host names of the partner.">
      {isRoot ? <NewDomain partnerId={partnerId} /> : null}
      <PagedTable
        query={domains}
        label="Hosts"
        columns={isRoot ? [...columns, buttons] : columns}
        idOf={({ id }) => id}
        empty={
          <Empty title="No hosts yet">
            {isRoot
              ? "Add a host name above. It is listed as not verified until its ownership is proven."
              : "Ask a platform root to add one."}
          </Empty>
        }
      />
    </Card>
  );
}

function RemoveDomain({ partnerId, domain }: { partnerId: string; domain: PartnerDomain }) {
  const { id, hostname, verified_at } = domain;
  const params = { partner_id: partnerId };
  const addAgain = useChange(partnerRoutes.addPartnerDomain, {
    success: `${hostname} added again`,
    failure: `Failed to add ${hostname} again`,
  });
  const remove = useChange(partnerRoutes.removePartnerDomain, {
    success: () => ({
      title: `${hostname} removed`,
      ...(verified_at !== null && { about: "If you add it again, it must be verified again." }),
      action: { name: "Undo", run: () => addAgain.mutate({ params, body: { hostname } }) },
    }),
    failure: `Failed to remove ${hostname}`,
  });
  return (
    <Button
      variant="ghost"
      small
      icon
      aria-label={`Remove ${hostname}`}
      busy={remove.isPending}
      onClick={() => remove.mutate({ params: { ...params, domain_id: id } })}
    >
      {remove.isPending ? null : <Trash2 aria-hidden="true" />}
    </Button>
  );
}

function NewDomain({ partnerId }: { partnerId: string }) {
  const [draft, change, discard] = useDraft(`new-domain-${partnerId}`, { hostname: "" });
  const add = useChange(partnerRoutes.addPartnerDomain, {
    success: ({ hostname }) => `${hostname} added`,
    onDone: discard,
  });
  const fault = fieldFaults(add.error).hostname;
  const hostname = draft.hostname.trim();
  return (
    <form
      noValidate
      className="flex flex-col gap-3 border-b border-line px-4 pb-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (hostname !== "" && !add.isPending) add.mutate({ params: { partner_id: partnerId }, body: { hostname } });
      }}
    >
      <div className="flex items-start gap-2">
        <div className="min-w-0 flex-1 sm:max-w-80">
          <TextField
            label="Host name"
            placeholder="agents.example.com"
            value={draft.hostname}
            onChange={(text) => change({ hostname: text })}
            fault={fault}
            maxLength={253}
            spellCheck={false}
          />
        </div>
        <Button type="submit" busy={add.isPending} disabled={hostname === ""} className="mt-6">
          <Plus aria-hidden="true" /> Add host
        </Button>
      </div>
      {fault === undefined ? <Fault error={add.error} /> : null}
    </form>
  );
}
