import { useQuery } from "@tanstack/react-query";
import type { Environment } from "#domain/environment.ts";
import { MAX_LIMIT } from "#workers/contracts/api/paging.ts";
import { type AiGateway, aiGatewayRoutes } from "#workers/contracts/api/tenants/ai-gateways.ts";
import { apiQuery } from "#workers/dashboard/ui/api/queries.ts";
import { Meter } from "#workers/dashboard/ui/kit/chart/meter.tsx";
import { TextField } from "#workers/dashboard/ui/kit/form/field.tsx";
import { Loaded } from "#workers/dashboard/ui/kit/states.tsx";
import { ChoiceList } from "./choice-list.tsx";
import { byFreeCapacity, whyUnavailable } from "./gateway-options.ts";

/** `auto`: the platform chooses; `other`: a gateway by its Cloudflare id; else the id of a pool entry. */
export interface GatewayDraft {
  choice: string;
  other: string;
}

/** Returns the fields of the request; undefined if nothing is selected. */
export function namedGateway({ choice, other }: GatewayDraft) {
  if (choice === "") return undefined;
  if (choice === "auto") return {};
  if (choice !== "other") return { ai_gateway_pool_id: choice };
  return other.trim() === "" ? undefined : { ai_gateway_id: other.trim() };
}

interface GatewayFieldProps {
  draft: GatewayDraft;
  onChange: (part: Partial<GatewayDraft>) => void;
  environment: Environment;
  /** Cloudflare id of the current gateway. */
  bound?: string | undefined;
  auto?: string;
  fault?: string | undefined;
}

export function GatewayField({ draft, onChange, environment, bound, auto, fault }: GatewayFieldProps) {
  const unavailable = (entry: AiGateway) => whyUnavailable(entry, { bound, of: environment });
  const pool = useQuery(apiQuery(aiGatewayRoutes.listAiGateways, { query: { limit: MAX_LIMIT } }));
  return (
    <div className="flex flex-col gap-3">
      <Loaded query={pool}>
        {({ data }) => (
          <ChoiceList
            label="AI gateway"
            value={draft.choice}
            onChange={(choice) => onChange({ choice })}
            options={[
              ...(auto === undefined ? [] : [{ value: "auto", name: "Automatic", about: auto }]),
              ...byFreeCapacity(data, (entry) => unavailable(entry) !== undefined).map((entry) => ({
                value: entry.id,
                name: entry.gateway_id,
                unavailable: unavailable(entry),
                about: <Meter label="Tenants" value={entry.bound} max={entry.max_instances} />,
              })),
              { value: "other", name: "Another gateway by ID", about: "A gateway of the account outside of the pool." },
            ]}
          />
        )}
      </Loaded>
      {draft.choice === "other" ? (
        <TextField
          label="Cloudflare gateway ID"
          value={draft.other}
          onChange={(other) => onChange({ other })}
          fault={fault}
          spellCheck={false}
        />
      ) : null}
    </div>
  );
}
