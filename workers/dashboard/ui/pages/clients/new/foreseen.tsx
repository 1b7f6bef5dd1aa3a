import type { UseQueryResult } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CircleAlert } from "lucide-react";
import type { ReactNode } from "react";
import type { NewClient } from "#workers/contracts/api/tenants/clients.ts";
import { useViewer } from "#workers/dashboard/ui/api/session.ts";
import { POOL_ADDRESS } from "#workers/dashboard/ui/kit/addresses.ts";
import { Badge } from "#workers/dashboard/ui/kit/badge.tsx";
import { classes } from "#workers/dashboard/ui/kit/classes.ts";
import { formatMoney } from "#workers/dashboard/ui/kit/format.ts";
import { Card, Facts, fact } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { Failed, Skeleton } from "#workers/dashboard/ui/kit/states.tsx";

const MIB_IN_GIB = 1_024;
const VCPU = new Intl.NumberFormat(undefined, { maximumFractionDigits: 3 });

/** What the form would make if it were sent now. @param props.provision whether the instance is wanted at once */
export function Foreseen({ query, provision }: { query: UseQueryResult<NewClient, Error>; provision: boolean }) {
  const { data, error, isPlaceholderData } = query;
  if (data === undefined && error !== null) {
    return (
      <Card title="What will be made">
        <Failed error={error} onRetry={() => void query.refetch()} retrying={query.isFetching} />
      </Card>
    );
  }
  return (
    <Card title="What will be made" about="As of now: nothing is kept for it until it is created.">
      <div aria-live="polite" aria-busy={isPlaceholderData} className={classes(isPlaceholderData && "opacity-60")}>
        <Facts
          facts={[
            fact("Host", data === undefined ? <Wait /> : (data.hostname ?? <Quiet>choose a slug</Quiet>)),
            fact("Belongs to", data === undefined ? <Wait /> : (data.partner?.name ?? <Quiet>nobody: internal</Quiet>)),
            fact("Container", data === undefined ? <Wait /> : <Container {...data.container} />),
            fact("AI gateway", data === undefined ? <Wait /> : <Gateway client={data} provision={provision} />),
            fact("Costs", data === undefined ? <Wait /> : <Fee micros={data.monthly_fee_micros} />),
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
        {memory} of memory, {VCPU.format(vcpu)} vCPU, {disk_gb} GB of disk
      </span>
    </>
  );
}

function Gateway({ client: { ai_gateway, faults }, provision }: { client: NewClient; provision: boolean }) {
  const { isRoot } = useViewer();
  if (ai_gateway !== null) {
    return ai_gateway.kind === "pooled" ? (
      <>
        {ai_gateway.id} <Badge tone="info">shared, of the pool</Badge>
      </>
    ) : (
      <>
        {ai_gateway.id ?? "one named after the slug"} <Badge tone="info">its own</Badge>
      </>
    );
  }
  const fault = faults.find((one) => one.of === "ai_gateway");
  return (
    <div className={classes("flex gap-2", provision ? "text-bad" : "text-quiet")}>
      <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <p className="min-w-0">
        {fault?.message}{" "}
        {isRoot ? (
          <Link to={POOL_ADDRESS} className="text-accent underline">
            Open the pool
          </Link>
        ) : (
          "A platform root can do that."
        )}
      </p>
    </div>
  );
}

function Fee({ micros }: { micros: number | null }) {
  if (micros === null) return <Quiet>not priced: a platform root gives the plan a price</Quiet>;
  return (
    <>
      {formatMoney(micros)} a month
      <span className="block text-xs text-quiet">
        {micros === 0 ? "Usage is billed beside it." : "From when it is no draft any more; usage is billed beside it."}
      </span>
    </>
  );
}
