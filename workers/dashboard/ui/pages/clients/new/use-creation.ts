/** Creates a client and optionally its instance. A retry repeats only the call that failed. */
import { useRef, useState } from "react";
import { instanceRoutes } from "#workers/contracts/api/instances/instances.ts";
import { type Client, clientRoutes } from "#workers/contracts/api/tenants/clients.ts";
import type { Input } from "#workers/dashboard/ui/api/ask.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { showToast } from "#workers/dashboard/ui/kit/toast/toast.ts";

export interface Creation {
  create(body: Input<typeof clientRoutes.createClient>["body"], provision: boolean): void;
  provision(): void;
  created: Client | undefined;
  busy: boolean;
  error: Error | null;
}

export function useCreation({ onDone }: { onDone: (id: string, provisioned: boolean) => void }): Creation {
  const [created, setCreated] = useState<Client>();
  const instance = useChange(instanceRoutes.createInstance, {
    also: ["clients", "jobs", "AI gateways"],
    success: ({ client }) => ({ title: `${client.slug} created`, about: "Provisioning its instance." }),
    onDone: ({ client }) => onDone(client.id, true),
  });
  const provision = (id: string) => instance.mutate({ body: { client_id: id } });
  const isProvisioned = useRef(false);
  const client = useChange(clientRoutes.createClient, {
    also: ["analytics"],
    onDone: (client) => {
      setCreated(client);
      if (isProvisioned.current) return provision(client.id);
      showToast({ title: `${client.slug} created`, about: "It has no instance yet." });
      onDone(client.id, false);
    },
  });
  return {
    create(body, provisioned) {
      isProvisioned.current = provisioned;
      client.mutate({ body });
    },
    provision: () => created && provision(created.id),
    created,
    busy: client.isPending || instance.isPending || instance.isSuccess,
    error: client.error ?? instance.error,
  };
}
