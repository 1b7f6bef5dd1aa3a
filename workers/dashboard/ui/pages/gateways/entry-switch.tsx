import { Switch } from "@base-ui/react/switch";
import { useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { type AiGateway, aiGatewayRoutes } from "#workers/contracts/api/tenants/ai-gateways.ts";
import { useChange } from "../../api/change.ts";

/** Shows the new state at once and reverts it on failure. */
export function EntrySwitch({ entry }: { entry: AiGateway }) {
  const { id, gateway_id } = entry;
  const queries = useQueryClient();
  // The version of the last response, so that the next click need not wait for a refetch.
  const latest = useRef({ version: 0, isPending: false });
  const set = (enabled: boolean) => {
    if (latest.current.isPending) return;
    latest.current.isPending = true;
    const version = Math.max(entry.version, latest.current.version);
    change.mutate({ params: { id }, body: { enabled }, version });
  };
  const change = useChange(aiGatewayRoutes.updateAiGateway, {
    success: ({ enabled, bound }) => ({
      title: `${gateway_id} ${enabled ? "opened" : "closed"} to new tenants`,
      ...(!enabled && bound > 0 && { about: "Tenants that use it are not affected." }),
      action: { name: "Undo", run: () => set(!enabled) },
    }),
    failure: `${gateway_id} was not changed`,
    onDone: ({ version }) => {
      latest.current = { version, isPending: false };
    },
    onFailed: () => {
      latest.current.isPending = false;
      // Another user may have changed it.
      void queries.invalidateQueries({ queryKey: [aiGatewayRoutes.updateAiGateway.tag] });
    },
  });
  const enabled = change.isPending ? (change.variables.body.enabled ?? entry.enabled) : entry.enabled;
  return (
    <Switch.Root
      aria-label={`Open ${gateway_id} to new tenants`}
      checked={enabled}
      onCheckedChange={set}
      className="relative z-10 flex h-5 w-9 shrink-0 rounded-full border border-line-strong bg-sunken p-0.5 transition-colors data-checked:border-accent data-checked:bg-accent"
    >
      <Switch.Thumb className="size-3.5 rounded-full bg-quiet transition-transform data-checked:translate-x-4 data-checked:bg-on-accent" />
    </Switch.Root>
  );
}
