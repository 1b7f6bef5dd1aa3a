import { useQuery } from "@tanstack/react-query";
import type { Environment } from "#domain/environment.ts";
import { MAX_LIMIT } from "#workers/contracts/api/paging.ts";
import { type AiGateway, aiGatewayRoutes } from "#workers/contracts/api/tenants/ai-gateways.ts";
import { read } from "#workers/dashboard/ui/api/queries.ts";
import { Meter } from "#workers/dashboard/ui/kit/chart/meter.tsx";
import { TextField } from "#workers/dashboard/ui/kit/form/field.tsx";
import { Loaded } from "#workers/dashboard/ui/kit/states.tsx";
import { ChoiceList } from "./choice-list.tsx";
import { barrier, byRoom } from "./gateway-options.ts";

/** `auto`: the platform chooses; `other`: by its id at Cloudflare; else an entry of the pool, by its id. */
export interface GatewayDraft {
  choice: string;
  other: string;
}

/** What the API is told. @returns undefined where nothing is chosen yet */
export function namedGateway({ choice, other }: GatewayDraft) {
  if (choice === "") return undefined;
  if (choice === "auto") return {};
  if (choice !== "other") return { ai_gateway_pool_id: choice };
  return other.trim() === "" ? undefined : { ai_gateway_id: other.trim() };
}

export interface GatewayFieldProps {
  draft: GatewayDraft;
  onChange: (part: Partial<GatewayDraft>) => void;
  environment: Environment;
  /** Id at Cloudflare of the gateway that is bound now. */
  bound?: string | undefined;
  /** What the platform would choose, where it may. */
  auto?: string;
  fault?: string | undefined;
}

/** The pool with its capacities, for platform roots. */
export function GatewayField({ draft, onChange, environment, bound, auto, fault }: GatewayFieldProps) {
  const barred = (entry: AiGateway) => barrier(entry, { bound, of: environment });
  const pool = useQuery(read(aiGatewayRoutes.listAiGateways, { query: { limit: MAX_LIMIT } }));
  return (
    <div className="flex flex-col gap-3">
      <Loaded query={pool}>
        {({ data }) => (
          <ChoiceList
            label="AI gateway"
            value={draft.choice}
            onChange={(choice) => onChange({ choice })}
            options={[
              ...(auto === undefined ? [] : [{ value: "auto", name: "Chosen by the platform", about: auto }]),
              ...byRoom(data, (entry) => barred(entry) !== undefined).map((entry) => ({
                value: entry.id,
                name: entry.gateway_id,
                barred: barred(entry),
                about: <Meter label="Tenants" value={entry.bound} most={entry.max_instances} />,
              })),
              { value: "other", name: "Another, by its id", about: "One of the account that is not in the pool." },
            ]}
          />
        )}
      </Loaded>
      {draft.choice === "other" ? (
        <TextField
          label="Id at Cloudflare"
          value={draft.other}
          onChange={(other) => onChange({ other })}
          fault={fault}
          autoComplete="off"
          spellCheck={false}
        />
      ) : null}
    </div>
  );
}
