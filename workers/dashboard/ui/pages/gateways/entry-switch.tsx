import { Switch } from "@base-ui/react/switch";
import { useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { type AiGateway, aiGatewayRoutes } from "#workers/contracts/api/tenants/ai-gateways.ts";
import { useChange } from "../../api/change.ts";
import { toast } from "../../kit/toast/toast.ts";

/** Whether new tenants may bind an entry: shown as changed at once, and as it was when that is refused. */
export function EntrySwitch({ entry }: { entry: AiGateway }) {
  const { id, gateway_id } = entry;
  const queries = useQueryClient();
  // What was answered last is known before the entry is read anew, so that the next press need not wait for that.
  const known = useRef({ version: 0, isAsked: false });
  const set = (enabled: boolean) => {
    if (known.current.isAsked) return;
    known.current.isAsked = true;
    const version = Math.max(entry.version, known.current.version);
    change.mutate({ params: { id }, body: { enabled }, version });
  };
  const change = useChange(aiGatewayRoutes.updateAiGateway, {
    onDone: (changed, { body }) => {
      known.current = { version: changed.version, isAsked: false };
      toast({
        title: changed.enabled ? `New tenants may bind ${gateway_id}` : `No new tenant binds ${gateway_id}`,
        ...(body.enabled === false && changed.bound > 0 && { about: "Those that bind it go on as they are." }),
        action: { name: "Undo", run: () => set(!changed.enabled) },
      });
    },
    onFailed: ({ message }) => {
      known.current.isAsked = false;
      toast({ kind: "failed", title: `${gateway_id} is as it was`, about: message });
      // It may have been changed by somebody else.
      void queries.invalidateQueries({ queryKey: [aiGatewayRoutes.updateAiGateway.tag] });
    },
  });
  const enabled = change.isPending ? (change.variables.body.enabled ?? entry.enabled) : entry.enabled;
  return (
    <Switch.Root
      aria-label={`${gateway_id} is open to new tenants`}
      checked={enabled}
      onCheckedChange={set}
      className="relative z-10 flex h-5 w-9 shrink-0 rounded-full border border-line-strong bg-sunken p-0.5 transition-colors data-checked:border-accent data-checked:bg-accent"
    >
      <Switch.Thumb className="size-3.5 rounded-full bg-quiet transition-transform data-checked:translate-x-4 data-checked:bg-on-accent" />
    </Switch.Root>
  );
}
