import type { UseQueryResult } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CircleAlert } from "lucide-react";
import type { ReactNode } from "react";
import type { NewClient } from "#workers/contracts/api/tenants/clients.ts";
import { useViewer } from "#workers/dashboard/ui/api/session.ts";
import { POOL_ADDRESS } from "#workers/dashboard/ui/kit/addresses.ts";
import { Badge } from "#workers/dashboard/ui/kit/badge.tsx";
import { joinClasses } from "#workers/dashboard/ui/kit/classes.ts";
import { formatMoney } from "#workers/dashboard/ui/kit/format.ts";
import { Card, Facts, factEntry } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { QueryFault, Skeleton } from "#workers/dashboard/ui/kit/states.tsx";

const MIB_IN_GIB = 1_024;
const VCPU = new Intl.NumberFormat(undefined, { maximumFractionDigits: 3 });

export function ClientPreview({ query, provision }: { query: UseQueryResult<NewClient, Error>; provision: boolean }) {
  const { data, error, isPlaceholderData } = query;
  if (data === undefined && error !== null) {
    return (
      <Card title="Preview">
        <QueryFault query={query} />
      </Card>
    );
  }
  return (
    <Card title="Preview" about="As of now. Nothing is reserved until you create the client.">
      <div aria-live="polite" aria-busy={isPlaceholderData} className={joinClasses(isPlaceholderData && "opacity-60")}>
        <Facts
          facts={[
            factEntry("Host", data === undefined ? <Wait /> : (data.hostname ?? <Quiet>Enter a slug</Quiet>)),
            factEntry(
              "Partner",
              data === undefined ? <Wait /> : (data.partner?.name ?? <Quiet>None (internal)</Quiet>),
            ),
            factEntry("Container", data === undefined ? <Wait /> : <Container {...data.container} />),
            factEntry("AI gateway", data === undefined ? <Wait /> : <Gateway client={data} provision={provision} />),
            factEntry("Fee", data === undefined ? <Wait /> : <Fee micros={data.monthly_fee_micros} />),
          ]}
        />
      </div>
    </Card>
  );
}

const Wait = () => <Skeleton className="my-0.5 h-4 w-40" />;
const Quiet = ({ children }: { children: ReactNode }) => <span className="text-quiet">{children}</span>;

function Container({ type, memory_mib, vcpu, disk_gb }: NewClient["container"]) {
  const memory = memory_mib < MIB_IN_GIB ? `${memory_mib} MiB` : `${memory_mib / MIB_IN_GIB} GiB`;
  return (
    <>
      {type}
      <span className="block text-xs text-quiet">
        {memory} memory, {VCPU.format(vcpu)} vCPU, {disk_gb} GB disk
      </span>
    </>
  );
}

function Gateway({ client: { ai_gateway, faults }, provision }: { client: NewClient; provision: boolean }) {
  const { isRoot } = useViewer();
  if (ai_gateway !== null) {
    return ai_gateway.kind === "pooled" ? (
      <>
        {ai_gateway.id} <Badge tone="info">shared</Badge>
      </>
    ) : (
      <>
        {ai_gateway.id ?? "Named after the slug"} <Badge tone="info">dedicated</Badge>
      </>
    );
  }
  const fault = faults.find((one) => one.of === "ai_gateway");
  return (
    <div className={joinClasses("flex gap-2", provision ? "text-bad" : "text-quiet")}>
      <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <p className="min-w-0">
        {fault?.message}{" "}
        {isRoot ? (
          <Link to={POOL_ADDRESS} className="text-accent underline">
            Open AI gateways
          </Link>
        ) : (
          "Ask a platform root."
        )}
      </p>
    </div>
  );
}

function Fee({ micros }: { micros: number | null }) {
  if (micros === null) return <Quiet>No price: ask a platform root to set one</Quiet>;
  return (
    <>
      {formatMoney(micros)} per month
      <span className="block text-xs text-quiet">
        {micros === 0
          ? "Usage is billed separately."
          : "Charged once the client is no longer a draft. Usage is billed separately."}
      </span>
    </>
  );
}
