import type { ReactNode } from "react";
import { planLabel } from "#domain/plans/plan.ts";
import type { Instance } from "#workers/contracts/api/instances/instances.ts";
import { CopyButton } from "#workers/dashboard/ui/kit/copy.tsx";
import { Card, Facts } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { Ago } from "#workers/dashboard/ui/kit/time.tsx";

export function FactsCard({ instance }: { instance: Instance }) {
  const { billing_plan, ai_gateway, worker_name, environment, managed_by, generation, created_at, id } = instance;
  const facts: readonly (readonly [string, ReactNode])[] = [
    ["Plan", planLabel(billing_plan)],
    ["AI gateway", <Gateway key="gateway" gateway={ai_gateway} />],
    ["Environment", environment],
    ["Managed by", managed_by === "git" ? "Git" : "This dashboard"],
    ["Worker", <code key="worker">{worker_name}</code>],
    ["Generation", generation],
    ["Created", <Ago key="created" at={created_at} />],
    [
      "ID",
      <span key="id" className="flex items-center gap-1">
        <code className="min-w-0 truncate text-xs">{id}</code>
        <CopyButton text={id} what="instance ID" />
      </span>,
    ],
  ];
  return (
    <Card title="Instance">
      <Facts facts={facts} />
    </Card>
  );
}

function Gateway({ gateway }: { gateway: Instance["ai_gateway"] }) {
  if (gateway === null) return <span className="text-quiet">None</span>;
  return (
    <>
      {gateway.id} <span className="text-quiet">{gateway.pool_id === null ? "dedicated" : "shared"}</span>
    </>
  );
}
