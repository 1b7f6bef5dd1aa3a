import { Sun } from "lucide-react";
import { type Instance, instanceRoutes } from "#workers/contracts/api/instances/instances.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { Button } from "#workers/dashboard/ui/kit/button.tsx";

interface WakeButtonProps {
  instance: Instance;
  variant?: "primary";
}

/** Wakes an agent that sleeps. */
export function WakeButton({ instance: { id, client }, ...appearance }: WakeButtonProps) {
  const change = useChange(instanceRoutes.wakeInstance, {
    also: ["instance health", "devices"],
    success: ({ state }) => (state === "awake" ? `${client.name} is awake` : `${client.name} wakes up`),
    failure: "Failed to wake the agent",
  });
  return (
    <Button {...appearance} busy={change.isPending} onClick={() => change.mutate({ params: { instance_id: id } })}>
      {change.isPending ? null : <Sun aria-hidden="true" />} Wake
    </Button>
  );
}
