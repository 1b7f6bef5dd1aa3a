import * as pulumi from "@pulumi/pulumi";
import * as z from "zod";
import { type PlatformOutputs, platformOutputs } from "#components/platform-outputs.ts";
import { errorText } from "#domain/errors/catalogue.ts";
import { asSentence, errorLine, type Fault } from "#domain/errors/catalogue-error.ts";
import { stackOutputErrors } from "#domain/errors/stack/stack-outputs.ts";

/** The outputs of a stack. A stack of tenants has only `tenants` and `doors`. */
export interface TenantryOutputs {
  /** Version of Tenantry that deployed the platform, such as `0.2.0`. */
  version: string;
  tenants: Readonly<Record<string, string>>;
  /** JSON object: addresses and generated secrets of declared doors, by slug and name. A secret; missing without doors. */
  doors: string;
  dashboard: string;
  /** The platform's properties for stacks of tenants (`components/platform-outputs.ts`). */
  platform: PlatformOutputs;
  /** PostgreSQL URL for stacks of tenants. A secret. */
  databaseUrl: string;
  /** PostgreSQL URL for the automation service. A secret. */
  serviceUrl: string;
  /** Bearer token of the dispatch Worker's `GET /_invalidate/:slug` and `POST /_backup/:slug`. A secret. */
  invalidateToken: string;
  /** Bearer token for the automation service's requests to the dashboard's `POST /internal/live`. A secret. */
  liveToken: string;
  /** Password from which the key of doors' secrets is derived. A secret. */
  doorsKey: string;
  /** The other valid version of `doorsKey`. A secret; missing unless it is being rotated. */
  otherDoorsKey: string;
  /** JSON object of AI provider keys. A secret; missing without keys in the platform's settings. */
  providerKeys: string;
  /** Variables of the automation service from the platform's settings; missing without any. */
  serviceVariables: Readonly<Record<string, string>>;
}

const open = {
  version: z.string(),
  tenants: z.record(z.string(), z.string()),
  dashboard: z.string(),
  platform: platformOutputs,
  serviceVariables: z.record(z.string(), z.string()),
} satisfies { [Name in keyof TenantryOutputs]?: z.ZodType<TenantryOutputs[Name]> };
type OpenName = keyof typeof open;
type SecretName = Exclude<keyof TenantryOutputs, OpenName>;

const isOpen = (name: string): name is OpenName => Object.hasOwn(open, name);

export type OutputsOf<Name extends keyof TenantryOutputs> = {
  [N in Name]: N extends SecretName ? pulumi.Output<string> : TenantryOutputs[N];
};

export type OutputFault = "no-stack" | "no-output" | "other-version" | "unreadable-secret";

export class OutputError extends pulumi.RunError {
  override name = "OutputError";
  readonly fault: OutputFault;

  constructor(fault: OutputFault, message: Fault) {
    super(message);
    this.fault = fault;
  }
}

/**
 * Reads outputs of another stack.
 * @param stack `stack` of the same project, `project/stack` or `organization/project/stack`
 * @throws OutputError, which ends the run with its message, if an output cannot be read
 * @example
 * ```ts
 * const { tenants, platform } = await readTenantryOutputs("organization/tenantry/prod", ["tenants", "platform"]);
 * ```
 */
export async function readTenantryOutputs<Name extends keyof TenantryOutputs>(
  stack: string,
  names: readonly Name[],
): Promise<OutputsOf<Name>> {
  const reader = await OutputReader.read(stack);
  reader.refer();
  const entries = names.map((name) => [
    name,
    isOpen(name) ? reader.open(name) : pulumi.secret(reader.secret(name as SecretName)),
  ]);
  return Object.fromEntries(entries) as OutputsOf<Name>;
}

export class OutputReader {
  readonly stack: string;
  readonly #details: ReadonlyMap<string, pulumi.StackReferenceOutputDetails>;

  private constructor(stack: string, { outputs, secretOutputNames }: z.infer<typeof stackOutputs>) {
    this.stack = stack;
    const secrets = new Set(secretOutputNames);
    this.#details = new Map(
      Object.entries(outputs).map(([name, value]) => [name, secrets.has(name) ? { secretValue: value } : { value }]),
    );
  }

  /** Does not change the current stack's state. @throws OutputError `no-stack`; RunError if the backend fails */
  static async read(stack: string): Promise<OutputReader> {
    const name = qualifiedStackName(stack);
    return new OutputReader(name, await outputsOf(name));
  }

  /** Records in the current stack's state that it reads this stack. */
  refer(): void {
    new pulumi.StackReference(this.stack);
  }

  has(name: keyof TenantryOutputs): boolean {
    const details = this.#details.get(name);
    return details?.value !== undefined || details?.secretValue !== undefined;
  }

  /** @throws OutputError `no-output` or `other-version` */
  open<Name extends OpenName>(name: Name): TenantryOutputs[Name];
  open(name: OpenName): TenantryOutputs[OpenName] {
    this.#require(name);
    const parsed = open[name].safeParse(this.#details.get(name)?.value);
    if (parsed.success) return parsed.data;
    throw new OutputError(
      "other-version",
      errorLine(stackOutputErrors.output_of_other_version, { output: name, stack: this.stack }),
    );
  }

  /** @returns the plain text. @throws OutputError `no-output` or `unreadable-secret` */
  secret(name: SecretName): string {
    this.#require(name);
    const value: unknown = this.#details.get(name)?.secretValue;
    // The engine returns an empty object for a secret that it cannot decrypt.
    if (typeof value === "string") return value;
    throw new OutputError(
      "unreadable-secret",
      errorLine(stackOutputErrors.secret_output_unreadable, { output: name, stack: this.stack }),
    );
  }

  #require(name: keyof TenantryOutputs): void {
    if (this.has(name)) return;
    const entry = name === "tenants" ? stackOutputErrors.tenants_never_deployed : stackOutputErrors.output_not_found;
    throw new OutputError("no-output", errorLine(entry, { output: name, stack: this.stack }));
  }
}

function qualifiedStackName(stack: string): string {
  return stack.includes("/") ? stack : `organization/${pulumi.getProject()}/${stack}`;
}

const stackOutputs = z.object({
  outputs: z.record(z.string(), z.unknown()),
  secretOutputNames: z.array(z.string()),
});

const resource = z.object({ type: z.string(), outputs: z.record(z.string(), z.unknown()) });
const resourceOutputs = z.object({ outputs: z.record(z.string(), resource) });

/** Returns the resources in a stack's state; none if the stack does not exist. @throws RunError if the backend fails */
export async function readResourceOutputs(stack: string): Promise<z.infer<typeof resource>[]> {
  const name = qualifiedStackName(stack);
  try {
    const read = resourceOutputs.parse(await askEngine("readStackResourceOutputs", name, { stackName: name }));
    return Object.values(read.outputs);
  } catch (error) {
    if (error instanceof OutputError) return [];
    throw error;
  }
}

const outputsOf = async (name: string) => stackOutputs.parse(await askEngine("readStackOutputs", name, { name }));

/**
 * Invokes the engine, because a reference to a missing stack would end the run, even a preview, with the engine's own message.
 *
 * @throws OutputError `no-stack`; RunError if the backend fails
 */
async function askEngine(what: string, name: string, inputs: Record<string, string>): Promise<unknown> {
  try {
    return await pulumi.runtime.invoke(`pulumi:pulumi:${what}`, inputs);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (/unknown stack/.test(reason)) {
      throw new OutputError("no-stack", errorLine(stackOutputErrors.stack_not_found, { stack: name }));
    }
    const values = { stack: name, fault: asSentence(reason) };
    throw new pulumi.RunError(errorText(stackOutputErrors.stack_outputs_unreadable, values));
  }
}
