/** Inputs and answers of an operation, from the generated types. */
import type { components, operations } from "./generated/types.ts";

export type OperationId = keyof operations;
export type Schemas = components["schemas"];

type Parameters<I extends OperationId, In extends "path" | "query"> = operations[I] extends {
  parameters: { [K in In]: infer P };
}
  ? P
  : Record<never, never>;
type OptionalQuery<I extends OperationId> = operations[I] extends { parameters: { query?: infer Q } }
  ? NonNullable<Q>
  : Record<never, never>;

/** With the client of a tenant, its slug is known. */
type Path<I extends OperationId> = "slug" extends keyof Parameters<I, "path">
  ? Omit<Parameters<I, "path">, "slug"> & { slug?: string }
  : Parameters<I, "path">;

type Content<Message> = Message extends { content: infer C } ? C : never;
type Body<I extends OperationId> = operations[I] extends { requestBody: infer R }
  ? Content<R> extends { "application/json": infer J }
    ? J
    : Blob
  : undefined;

/** A member that is optional when all of it is. */
type Member<Name extends string, T> = [keyof T] extends [never]
  ? Record<never, never>
  : Record<never, never> extends T
    ? { readonly [N in Name]?: T }
    : { readonly [N in Name]: T };

export type Input<I extends OperationId> = Member<"path", Path<I>> &
  Member<"query", OptionalQuery<I>> &
  (Body<I> extends undefined ? unknown : { readonly body: Body<I> });

type Success<I extends OperationId> = operations[I]["responses"][keyof operations[I]["responses"]];

/** A response that is not JSON is returned whole. */
export type Answer<I extends OperationId> = [Content<Success<I>>] extends [never]
  ? undefined
  : Content<Success<I>> extends { "application/json": infer J }
    ? J
    : Response;

interface Page<T> {
  data: T[];
  pagination: { next: string | null };
}

/** Operations that return a page of a list. */
export type ListId = { [I in OperationId]: Answer<I> extends Page<unknown> ? I : never }[OperationId];
export type Entry<I extends OperationId> = Answer<I> extends Page<infer T> ? T : never;

/** Arguments of a call: the input is optional when all of it is. */
export type Arguments<I extends OperationId, Options> =
  Record<never, never> extends Input<I> ? [input?: Input<I>, options?: Options] : [input: Input<I>, options?: Options];
