/**
 * A part of the Cloudflare API that the local edge serves: its operations as data, and who handles them. The compiler holds the
 * handlers to what is declared.
 */
import type { Handler, Parameters } from "./call.ts";
import type { ApiContext } from "./context.ts";

/** `METHOD path` of each operation, to the method of the official SDK that calls it, or to `-` where the SDK has none. */
type Operations = Readonly<Record<string, string>>;

interface Declared {
  /** What it is called in the coverage table. */
  title: string;
  operations: Operations;
  /** Permission group whose tokens of the account open what only reads. Default: none do. */
  readBy?: string;
  /** Operations that only read though they are no GET, and so are opened by `readBy` too. Default: none. */
  alsoReads?: readonly string[];
  /** Operations that ask for a token of their own kind, which their handlers check. Default: all are opened by the edge's. */
  ownToken?: readonly string[];
  /** How it differs from the vendor; absent when no difference is known. */
  differs?: string;
}

export interface ApiPart extends Declared {
  handlers: (context: ApiContext) => Readonly<Record<string, Handler<string>>>;
}

/** Declares a part, with one handler for each operation and none besides. */
export function apiPart<O extends Operations>(
  part: Declared & {
    operations: O;
    alsoReads?: readonly (keyof O & string)[];
    ownToken?: readonly (keyof O & string)[];
    handlers: (context: ApiContext) => { readonly [Route in keyof O & string]: Handler<Parameters<Route>> };
  },
): ApiPart {
  return part;
}
