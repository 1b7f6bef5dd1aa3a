import { Link } from "@tanstack/react-router";
import { clientStates } from "#domain/tenants/instance-state.ts";
import type { GlobalAnalytics } from "#workers/contracts/api/analytics.ts";
import { joinClasses } from "../../kit/classes.ts";
import { formatNumber } from "../../kit/format.ts";
import { Card } from "../../kit/layout/card.tsx";
import { Empty } from "../../kit/states.tsx";

const states = ["running", "provisioning", "frozen", "stopped", "error", "none"] as const;
const FILLS: Readonly<Record<(typeof states)[number], string>> = {
  running: "bg-good",
  provisioning: "bg-busy",
  frozen: "bg-info",
  stopped: "bg-quiet",
  error: "bg-bad",
  none: "bg-line-strong",
};

export function TenantsByState({ tenants }: { tenants: GlobalAnalytics["tenants"] }) {
  const { total, by_instance_status: counts, by_client_status: clients } = tenants;
  const shown = states.filter((state) => counts[state] > 0);
  return (
    <Card title="Tenants by state" about={`${formatNumber(total)} in total`} className="min-h-92">
      {total === 0 ? (
        <Empty title="No tenants yet">Tenants appear here when there are clients.</Empty>
      ) : (
        <>
          <div aria-hidden="true" className="flex h-3 gap-0.5 overflow-hidden rounded-full">
            {shown.map((state) => (
              <span key={state} className={joinClasses("min-w-1", FILLS[state])} style={{ flexGrow: counts[state] }} />
            ))}
          </div>
          <ul aria-label="Tenants by the state of their instance" className="mt-3 flex flex-col">
            {states.map((state) => (
              <li key={state} className="relative flex items-center gap-2.5 rounded-md px-1 py-1 hover:bg-hover">
                <span aria-hidden="true" className={joinClasses("size-2.5 rounded-full", FILLS[state])} />
                <span className="flex-1">
                  {state === "none" ? (
                    "No instance"
                  ) : (
                    <Link
                      to="/clients"
                      search={{ instance: state }}
                      className="text-text no-underline after:absolute after:inset-0 hover:underline"
                    >
                      {state}
                    </Link>
                  )}
                </span>
                <span className="tabular-nums">{formatNumber(counts[state])}</span>
                <span className="w-12 text-right text-quiet tabular-nums">
                  {Math.round((100 * counts[state]) / total)} %
                </span>
              </li>
            ))}
          </ul>
          <p className="mt-3 border-t border-line pt-3 text-[0.8125rem] text-quiet">
            Clients:{" "}
            {clientStates.map((state, index) => (
              <span key={state}>
                {index === 0 ? "" : ", "}
                <Link to="/clients" search={{ status: state }} className="text-quiet hover:text-text">
                  {formatNumber(clients[state])} {state}
                </Link>
              </span>
            ))}
          </p>
        </>
      )}
    </Card>
  );
}
