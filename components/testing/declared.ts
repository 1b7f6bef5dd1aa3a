/** Runs component code with mocked providers and collects the declared resources. */
import * as pulumi from "@pulumi/pulumi";
import { withoutTraces } from "./without-traces.ts";

export interface Declared {
  type: string;
  name: string;
  inputs: Record<string, unknown>;
  /** The explicit provider, as `urn::id`; empty for the default one. */
  provider: string;
}

const OUTPUTS: Record<string, (name: string) => Record<string, unknown>> = {
  "cloudflare:index/zeroTrustAccessApplication:ZeroTrustAccessApplication": (name) => ({ aud: `aud-of-${name}` }),
  "cloudflare:index/accountToken:AccountToken": (name) => ({ value: `value-of-${name}` }),
  "cloudflare:index/workersForPlatformsDispatchNamespace:WorkersForPlatformsDispatchNamespace": () => ({
    namespaceName: "tenants",
  }),
  "random:index/randomPassword:RandomPassword": (name) => ({ result: `password-of-${name}` }),
  "tenantry:index:MemberGroup": (name) => ({ groupId: `group-of-${name}` }),
  "tenantry:index:DatabaseRecord": (name) => ({ recordId: `row-of-${name}` }),
};

/**
 * @param onReady called once mocks replace the engine, before `program`
 * @returns the result of `program`, and resources and components in the order of registration
 */
export async function declare<T>(
  program: () => T | Promise<T>,
  onReady?: () => void,
): Promise<{ declared: Declared[]; result: T }> {
  const declared: Declared[] = [];
  await pulumi.runtime.setMocks(
    {
      newResource: ({ type, name, inputs, provider }) => {
        declared.push({ type, name, inputs, provider: provider ?? "" });
        return { id: `id-of-${name}`, state: { ...inputs, ...OUTPUTS[type]?.(name) } };
      },
      call: ({ token }) => Promise.reject(new Error(`no call of ${token} is expected`)),
    },
    "tenantry",
    "unit",
  );
  onReady?.();
  const result = await withoutTraces(async () => program());
  await pulumi.runtime.disconnect();
  return { declared, result };
}

/** Finds the one resource of a type, and of `name` if given. */
export function only(declared: readonly Declared[], type: string, name?: string): Declared {
  const found = declared.filter(
    (entry) => entry.type.endsWith(`:${type}`) && (name === undefined || entry.name === name),
  );
  if (found.length !== 1 || found[0] === undefined) {
    throw new Error(
      `expected one ${type} ${name ?? ""}, found ${found.map((entry) => entry.name).join(", ") || "none"}`,
    );
  }
  return found[0];
}

export function resolved<T>(output: pulumi.Output<T>): Promise<T> {
  return new Promise((resolve) => output.apply((value) => resolve(value)));
}
