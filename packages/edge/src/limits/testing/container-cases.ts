import type { ApiCalls } from "./api-calls.ts";
import type { LimitCase } from "./limit-case.ts";

/** Creates a container application, and returns the path of its rollouts. */
async function withApplication(api: ApiCalls): Promise<string> {
  await api.account("POST", "workers/dispatch/namespaces", { name: "t" });
  await api.upload("dispatch/namespaces/t/scripts/s", {
    migrations: { new_sqlite_classes: ["Box"] },
    containers: [{ class_name: "Box" }],
  });
  const { result } = await api.account("GET", "workers/durable_objects/namespaces");
  const id = await api.created(
    api.account("POST", "containers/applications", {
      name: "box",
      scheduling_policy: "default",
      instances: 0,
      max_instances: 1,
      configuration: { image: "box:1", instance_type: "lite" },
      durable_objects: { namespace_id: (result as { id: string }[])[0]?.id },
    }),
  );
  return `containers/applications/${id}/rollouts`;
}

/** A custom instance type, with Cloudflare's value. */
const custom = (configuration: (value: number) => object): LimitCase => ({
  kind: "size",
  prepare: withApplication,
  send: (api, value, path) =>
    api.account("POST", String(path), {
      description: "resize",
      strategy: "rolling",
      step_percentage: 100,
      target_configuration: configuration(value),
    }),
});

export const containerCases = {
  customVcpu: custom((vcpu) => ({ vcpu })),
  customVcpuLeast: custom((vcpu) => ({ vcpu })),
  customMemory: custom((memory_mib) => ({ memory_mib })),
  customMemoryPerVcpu: custom((memory_mib) => ({ vcpu: 1, memory_mib })),
  customDisk: custom((size_mb) => ({ disk: { size_mb } })),
  customDiskPerMemory: custom((size_mb) => ({ memory_mib: 1_024, disk: { size_mb } })),
};
