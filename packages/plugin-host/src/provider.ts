import type * as z from "zod";
import { checkInputs } from "./check.ts";
import { UserError, type Wording } from "./errors.ts";
import type { Properties } from "./properties.ts";
import type { Replacement, Resource } from "./resource.ts";

/** A provider: its configuration, its resources and its functions. Pass it to {@link provider}. */
export interface ProviderDefinition<Config extends object, Clients> {
  /** Package name, the first part of every type token: `notes` for `notes:index:Note`. */
  name: string;
  /** Semantic version, such as `1.0.0`. */
  version: string;
  /**
   * Schema of the configuration. The engine sends each value of the stack's configuration as a string: use `z.coerce.number()` for a
   * number and `z.stringbool()` for a boolean. The host checks the configuration before the first resource, and shows the message of
   * each issue.
   */
  config: z.ZodType<Config>;
  /**
   * Creates the first argument of each operation, such as an API client. The host calls it once for each provider instance of a run, with
   * the parsed configuration. Open connections in the operations that need them, not here.
   *
   * @param variables the `variables` of the server. Default: the environment of the process
   */
  connect(config: Config, variables: ProcessVariables): Clients;
  /** The resource types that the provider serves. */
  resources: readonly Resource<Clients>[];
  /**
   * Functions by token, such as `notes:index:getNote`. A function validates its arguments. The token `{name}:index:steps` is reserved.
   * Default: none.
   */
  functions?: Readonly<Record<string, (clients: Clients, args: Properties) => Promise<Properties>>>;
  /** Converts errors of libraries to messages for users. Default: the first line of the error's message. */
  wording?: Wording;
}

/** A provider with its configuration bound. */
export interface Session {
  resource(type: string): BoundResource;
  invoke(token: string, args: Properties): Promise<Properties>;
}

type Bound<F> = F extends (clients: never, ...rest: infer R) => infer T ? (...rest: R) => T : never;
type Calls = "create" | "read" | "update" | "delete";
export type BoundResource = Omit<Resource<never>, Calls> & { [C in Calls]: Bound<Resource<never>[C]> };

/** Environment variables by name. */
export type ProcessVariables = Readonly<Record<string, string | undefined>>;

/** A provider that {@link provider} defined. Pass it to `runPlugin` or `startServer`. */
export interface Provider {
  name: string;
  version: string;
  /** Type tokens. */
  types: readonly string[];
  /** How each type is replaced, for documentation. */
  replacements: readonly Replacement[];
  wording: Wording;
  checkConfig(properties: Properties): ReturnType<typeof checkInputs>;
  /** @throws UserError when the configuration is invalid */
  open(config: Properties, variables: ProcessVariables): Session;
}

function parseConfig<Config extends object>(name: string, schema: z.ZodType<Config>, given: Properties): Config {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((issue) => `${issue.path.map(String).join(".") || "value"}: ${issue.message}`);
  throw new UserError(`The configuration of the provider '${name}' is invalid: ${faults.join("; ")}`);
}

/** Defines a provider. Pass it to `runPlugin`. */
export function provider<Config extends object, Clients>(definition: ProviderDefinition<Config, Clients>): Provider {
  const resources = new Map(definition.resources.map((item) => [item.type, item]));
  const functions = new Map(Object.entries(definition.functions ?? {}));
  function find<T>(served: ReadonlyMap<string, T>, token: string): T {
    const found = served.get(token);
    if (found !== undefined) return found;
    throw new UserError(`The provider '${definition.name}' that runs here does not serve '${token}'.`);
  }
  return {
    name: definition.name,
    version: definition.version,
    types: [...resources.keys()],
    replacements: definition.resources.map(({ replacement }) => replacement),
    wording: definition.wording ?? (() => undefined),
    checkConfig: (properties) => checkInputs(definition.config, properties),
    open(config, variables) {
      const clients = definition.connect(parseConfig(definition.name, definition.config, config), variables);
      return {
        resource(type) {
          const found = find(resources, type);
          return {
            ...found,
            create: (...rest) => found.create(clients, ...rest),
            read: (...rest) => found.read(clients, ...rest),
            update: (...rest) => found.update(clients, ...rest),
            delete: (...rest) => found.delete(clients, ...rest),
          };
        },
        invoke: async (token, args) => find(functions, token)(clients, args),
      };
    },
  };
}
