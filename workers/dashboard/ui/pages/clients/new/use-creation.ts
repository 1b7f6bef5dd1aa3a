/** Makes a client and, where wanted, its instance: two calls, each carried out once however often it is pressed. */
import { useRef, useState } from "react";
import { type Client, clientRoutes } from "#workers/contracts/api/tenants/clients.ts";
import { instanceRoutes } from "#workers/contracts/api/tenants/instances.ts";
import type { Input } from "#workers/dashboard/ui/api/ask.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { toast } from "#workers/dashboard/ui/kit/toast/toast.ts";

export interface Creation {
  create(body: Input<typeof clientRoutes.createClient>["body"], provision: boolean): void;
  /** Asks once more for the instance of a client that is made. */
  provision(): void;
  /** The client, once it is made. */
  made: Client | undefined;
  busy: boolean;
  error: Error | null;
}

/** @param options.onDone called when all that was wanted is asked for */
export function useCreation({ onDone }: { onDone: (id: string, provisioned: boolean) => void }): Creation {
  const [made, setMade] = useState<Client>();
  const instance = useChange(instanceRoutes.createInstance, {
    also: ["clients", "jobs", "AI gateways"],
    onDone: ({ client }) => {
      toast({ title: `${client.slug} is made`, about: "Its instance is being provisioned." });
      onDone(client.id, true);
    },
  });
  const provision = (id: string) => instance.mutate({ body: { client_id: id } });
  const isProvisioned = useRef(false);
  const client = useChange(clientRoutes.createClient, {
    also: ["analytics"],
    onDone: (created) => {
      setMade(created);
      if (isProvisioned.current) return provision(created.id);
      toast({ title: `${created.slug} is made`, about: "It has no instance yet." });
      onDone(created.id, false);
    },
  });
  return {
    create(body, provisioned) {
      isProvisioned.current = provisioned;
      client.mutate({ body });
    },
    provision: () => made && provision(made.id),
    made,
    busy: client.isPending || instance.isPending || instance.isSuccess,
    error: client.error ?? instance.error,
  };
}
