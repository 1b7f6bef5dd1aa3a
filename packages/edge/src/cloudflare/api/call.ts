import type * as z from "zod";
import { ApiError } from "./api-error.ts";

type ParameterName<P extends string> = P extends `${infer Name}{${string}` ? Name : P;

/** Names of the parameters in a route pattern such as `GET /zones/:zone_id/dns_records/:id`. */
export type Parameters<Route extends string> = Route extends `${string}:${infer P}/${infer Rest}`
  ? ParameterName<P> | Parameters<`/${Rest}`>
  : Route extends `${string}:${infer P}`
    ? ParameterName<P>
    : never;

export interface Call<P extends string = never> {
  /** Path parameters, percent-decoded. */
  params: Readonly<Record<P, string>>;
  query: URLSearchParams;
  headers: Headers;
  /** Read before the handler runs, so that handlers without `await` are atomic. */
  body: Uint8Array<ArrayBuffer>;
}

export type Handler<P extends string = never> = (call: Call<P>) => Response | Promise<Response>;

/** Splits a list of names at white space. */
export const names = (text: string): string[] => text.trim().split(/\s+/);

/** Parses the JSON body. @throws ApiError 400 with `code` for an invalid body */
export function readBody<T>(call: Pick<Call, "body">, schema: z.ZodType<T>, code: number): T {
  const text = new TextDecoder().decode(call.body);
  let json: unknown;
  try {
    json = text === "" ? {} : JSON.parse(text);
  } catch {
    throw new ApiError(400, code, "Could not parse the request body as JSON.");
  }
  return validate(json, schema, code);
}

/** @throws ApiError 400 with `code` that names each invalid field */
export function validate<T>(value: unknown, schema: z.ZodType<T>, code: number): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((issue) => {
    const path = issue.path.map(String).join(".");
    return path === "" ? issue.message : `${path}: ${issue.message}`;
  });
  throw new ApiError(400, code, faults.join("; "));
}
