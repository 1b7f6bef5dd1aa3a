/** Declarations of the `cloudflare` package, by the TypeScript checker. */
import { join } from "node:path";
import ts from "typescript";

export interface Mismatch {
  /** Path in the value, such as `configuration.image` or `bindings[].type`. */
  path: string;
  problem: string;
}

interface Signature {
  /** Undefined without parameters. */
  parameters: ts.Type | undefined;
  /** Of one item if the method returns pages. */
  result: ts.Type;
  pages: boolean;
}

const client = join(import.meta.dirname, "../../../../../../node_modules/cloudflare/client.d.mts");
const WRONG_LITERAL = "is not among the declared values";

/** A wrong literal or type shows that another member of a union was meant. */
const weight = (found: readonly Mismatch[], path: string) =>
  found.reduce((sum, one) => sum + (one.problem.startsWith(WRONG_LITERAL) || one.path === path ? 10 : 1), 0);

export class DeclaredTypes {
  readonly #checker: ts.TypeChecker;
  readonly #client: ts.Type;

  /** Reads the package's types, which takes seconds. */
  constructor() {
    const program = ts.createProgram([client], {
      strict: true,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      // Streams, forms and files stay unknown, and are not checked.
      lib: ["lib.es2018.d.ts"],
      types: [],
    });
    this.#checker = program.getTypeChecker();
    const source = program.getSourceFile(client);
    const module = source && this.#checker.getSymbolAtLocation(source);
    const exported = module && this.#checker.getExportsOfModule(module).find(({ name }) => name === "Cloudflare");
    if (exported === undefined) throw new Error(`${client} exports no Cloudflare`);
    this.#client = this.#checker.getDeclaredTypeOfSymbol(exported);
  }

  /** Compares a request of `method`, such as `dns.records.edit`, with its parameters. @param given path, query and body */
  ofRequest(method: string, given: Readonly<Record<string, unknown>>): Mismatch[] {
    const { parameters } = this.#signature(method);
    if (parameters === undefined) {
      return Object.keys(given).map((path) => ({ path, problem: "is sent to a method without parameters" }));
    }
    return this.#compare(given, parameters, "");
  }

  /** Returns the names of the non-positional parameters of `method`. */
  parameterNames(method: string): Set<string> {
    const { parameters } = this.#signature(method);
    const members = parameters === undefined ? [] : this.#members(parameters);
    return new Set(members.flatMap((member) => this.#checker.getPropertiesOfType(member).map(({ name }) => name)));
  }

  /** Compares the result of `envelope` with the declared result of `method`; some methods return the envelope itself. */
  ofAnswer(method: string, { result, ...envelope }: Readonly<Record<string, unknown>>): Mismatch[] {
    const { result: type, pages } = this.#signature(method);
    if (!pages) {
      // A log entry has `success` too.
      const whole = type.getProperty("success") !== undefined && type.getProperty("id") === undefined;
      return this.#compare(whole ? envelope : result, type, "");
    }
    // Some methods declare an object with only a list instead of the list.
    const [field = "", list] = Object.entries({ ...(result ?? {}) })[0] ?? [];
    if (!Array.isArray(result) && type.getProperty(field) !== undefined) return this.#compare(result, type, "");
    const items = Array.isArray(result) ? result : list;
    if (!Array.isArray(items)) return [{ path: "", problem: "is no list" }];
    return items.flatMap((item) => this.#compare(item, type, "[]"));
  }

  #signature(method: string): Signature {
    let type = this.#client;
    for (const name of method.split(".")) {
      const property = type.getProperty(name);
      if (property === undefined) throw new Error(`The package cloudflare has no ${method}`);
      type = this.#checker.getTypeOfSymbol(property);
    }
    const signature = type.getCallSignatures().at(-1);
    if (signature === undefined) throw new Error(`${method} of the package cloudflare is no method`);
    const given = signature.parameters.find(({ name }) => ["params", "query", "body"].includes(name));
    const promise = signature.getReturnType();
    const pages = promise.symbol.name === "PagePromise";
    const result = this.#checker.getTypeArguments(promise as ts.TypeReference).at(pages ? 1 : 0);
    if (result === undefined) throw new Error(`${method} of the package cloudflare answers no promise`);
    return { parameters: given && this.#checker.getTypeOfSymbol(given), result, pages };
  }

  /** JSON has no undefined. */
  #members(type: ts.Type): ts.Type[] {
    return type.isUnion() ? type.types.filter(({ flags }) => !(flags & ts.TypeFlags.Undefined)) : [type];
  }

  #compare(value: unknown, type: ts.Type, path: string): Mismatch[] {
    if (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return [];
    let best: Mismatch[] | undefined;
    for (const member of this.#members(type)) {
      const found = this.#compareMember(value, member, path);
      if (found.length === 0) return found;
      if (best === undefined || weight(found, path) < weight(best, path)) best = found;
    }
    const scalar = typeof value !== "object" || value === null;
    if (!scalar || best?.length !== 1) return best ?? [];
    const literals = type.isUnion() && type.types.some((member) => member.isLiteral());
    const what = value === null ? "null" : literals ? JSON.stringify(value) : `a ${typeof value}`;
    return [
      {
        path,
        problem: `${literals ? WRONG_LITERAL : "is not of the declared type"}: ${what}, not ${this.#name(type)}`,
      },
    ];
  }

  #name(type: ts.Type): string {
    return this.#checker.typeToString(type, undefined, ts.TypeFormatFlags.NoTruncation).slice(0, 80);
  }

  #compareMember(value: unknown, type: ts.Type, path: string): Mismatch[] {
    const wrong = (problem: string): Mismatch[] => [{ path, problem }];
    const { flags } = type;
    if (type.isIntersection() && type.types.some((part) => part.flags & ts.TypeFlags.String)) {
      return typeof value === "string" ? [] : wrong("is no string");
    }
    if (flags & ts.TypeFlags.Null) return value === null ? [] : wrong("is not null");
    if (type.isLiteral()) return value === type.value ? [] : wrong(`${WRONG_LITERAL}: ${JSON.stringify(value)}`);
    if (flags & ts.TypeFlags.BooleanLiteral) {
      return String(value) === this.#checker.typeToString(type) && typeof value === "boolean"
        ? []
        : wrong("is not of the declared type");
    }
    if (flags & ts.TypeFlags.String) return typeof value === "string" ? [] : wrong("is no string");
    if (flags & ts.TypeFlags.Number) return typeof value === "number" ? [] : wrong("is no number");
    if (flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return [];
    if (typeof value !== "object" || value === null) {
      return wrong(`is ${value === null ? "null" : `a ${typeof value}`}, not ${this.#name(type)}`);
    }
    if (this.#checker.isArrayType(type)) {
      if (!Array.isArray(value)) return wrong("is no list");
      const [item] = this.#checker.getTypeArguments(type as ts.TypeReference);
      return item === undefined ? [] : value.flatMap((one) => this.#compare(one, item, `${path}[]`));
    }
    if (Array.isArray(value)) return wrong("is a list");
    return this.#compareFields({ ...value }, type, path);
  }

  #compareFields(value: Readonly<Record<string, unknown>>, type: ts.Type, path: string): Mismatch[] {
    const at = (name: string) => (path === "" ? name : `${path}.${name}`);
    const declared = new Map(this.#checker.getPropertiesOfType(type).map((one) => [one.name, one]));
    const others = this.#checker.getIndexTypeOfType(type, ts.IndexKind.String);
    const missing = [...declared.values()]
      .filter(({ name, flags }) => !(flags & ts.SymbolFlags.Optional) && value[name] === undefined)
      .map(({ name }) => ({ path: at(name), problem: "is missing" }));
    const present = Object.entries(value).flatMap(([name, one]) => {
      if (one === undefined) return [];
      const property = declared.get(name);
      const declaredType = property === undefined ? others : this.#checker.getTypeOfSymbol(property);
      if (declaredType === undefined) return [{ path: at(name), problem: "is not declared" }];
      return this.#compare(one, declaredType, at(name));
    });
    return [...missing, ...present];
  }
}
