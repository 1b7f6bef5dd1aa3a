import type * as z from "zod";
import { checkInputs } from "./check.ts";
import { UserError, type Wording } from "./errors.ts";
import type { Properties } from "./properties.ts";
import type { Replacement, Resource } from "./resource.ts";

/** A provider: its configuration, and the resources and functions it serves. */
export interface ProviderDefinition<Config extends object, Clients> {
  /** Package name, such as `tenantry`. */
  name: string;
  version: string;
  /** Shape of the configuration. Every key is optional: a resource that needs a missing one says so. */
  config: z.ZodType<Config>;
  /** Makes what resources work with. Nothing is opened before it is used. */
  connect(config: Config, variables: ProcessVariables): Clients;
  resources: readonly Resource<Clients>[];
  /** Functions by token. Default: none. */
  functions?: Readonly<Record<string, (clients: Clients, args: Properties) => Promise<Properties>>>;
  wording: Wording;
}

/** A provider with its configuration bound. */
export interface Session {
  resource(type: string): BoundResource;
  invoke(token: string, args: Properties): Promise<Properties>;
}

type Bound<F> = F extends (clients: never, ...rest: infer R) => infer T ? (...rest: R) => T : never;
type Calls = "create" | "read" | "update" | "delete";
export type BoundResource = Omit<Resource<never>, Calls> & { [C in Calls]: Bound<Resource<never>[C]> };

/** Variables of the process that runs the engine. */
export type ProcessVariables = Readonly<Record<string, string | undefined>>;

/** A {@link ProviderDefinition} as the host serves it. */
export interface Provider {
  name: string;
  version: string;
  types: readonly string[];
  /** What replacements of its kinds do. */
  replacements: readonly Replacement[];
  wording: Wording;
  checkConfig(news: Properties): ReturnType<typeof checkInputs>;
  /** @param variables where what the configuration leaves out is looked for */
  open(config: Properties, variables: ProcessVariables): Session;
}

/** Makes a definition one the host can serve. */
export function provider<Config extends object, Clients>(definition: ProviderDefinition<Config, Clients>): Provider {
  const resources = new Map(definition.resources.map((item) => [item.type, item]));
  const functions = new Map(Object.entries(definition.functions ?? {}));
  return {
    name: definition.name,
    version: definition.version,
    types: [...resources.keys()],
    replacements: definition.resources.map(({ replacement }) => replacement),
    wording: definition.wording,
    checkConfig: (news) => checkInputs(definition.config, news),
    open(config, variables) {
      const clients = definition.connect(definition.config.parse(config), variables);
      return {
        resource(type) {
          const found = resources.get(type);
          if (found === undefined)
            throw new UserError(`The provider '${definition.name}' that runs here does not serve '${type}'.`);
          return {
            ...found,
            create: (...rest) => found.create(clients, ...rest),
            read: (...rest) => found.read(clients, ...rest),
            update: (...rest) => found.update(clients, ...rest),
            delete: (...rest) => found.delete(clients, ...rest),
          };
        },
        invoke(token, args) {
          const found = functions.get(token);
          if (found === undefined)
            throw new UserError(`The provider '${definition.name}' that runs here does not serve '${token}'.`);
          return found(clients, args);
        },
      };
    },
  };
}
