/** Texts and examples of the operations of one tag. They are part of the reference only, so that the web app does not load them. */
import type * as z from "zod";
import type { ErrorCode } from "#domain/errors/codes.ts";
import type { Route, Routes } from "#workers/contracts/api/route.ts";

/** Codes whose cause differs between operations. */
type ExplainedCode = Extract<ErrorCode, "conflict" | "forbidden">;

type RefusalsOf<R extends Route> = R["refusals"] extends readonly (infer Code)[] ? Extract<Code, ExplainedCode> : never;

type InputOf<Name extends string, S> = S extends z.ZodType ? { readonly [N in Name]: z.input<S> } : unknown;

/** Text and example of an operation: an example for each schema of its route, a cause for each refusal that needs one. */
export type OperationText<R extends Route> = {
  /** What the operation does and does not do, its effects, and what follows: one to four sentences. */
  readonly description: string;
} & InputOf<"params", R["params"]> &
  InputOf<"body", R["body"]> &
  (R["query"] extends z.ZodType ? { readonly query?: z.input<R["query"]> } : unknown) &
  (R["answer"] extends z.ZodType ? { readonly answer: z.output<R["answer"]> } : unknown) &
  ([RefusalsOf<R>] extends [never] ? unknown : { readonly errors: Readonly<Record<RefusalsOf<R>, string>> });

export interface Operation {
  readonly id: string;
  readonly route: Route;
  readonly description: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly answer: unknown;
  readonly errors: Readonly<Partial<Record<ErrorCode, string>>>;
}

export interface Section {
  readonly tag: string;
  readonly title: string;
  /** What the operations of the tag are for: one to three sentences. */
  readonly description: string;
  readonly operations: readonly Operation[];
}

/** Declares a tag's part of the reference. Each route needs its text. */
export function section<R extends Routes>(
  routes: R,
  title: string,
  description: string,
  texts: { readonly [Id in keyof R]: OperationText<R[Id]> },
): Section {
  const operations = Object.entries(routes).map(([id, route]): Operation => {
    const text = texts[id] as Partial<Operation> & { readonly description: string };
    return { body: undefined, answer: undefined, params: {}, query: {}, errors: {}, ...text, id, route };
  });
  return { tag: operations[0]?.route.tag ?? "", title, description, operations };
}
