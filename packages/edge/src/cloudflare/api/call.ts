/** One request to the API as its handlers see it. */
import type * as z from "zod";
import { ApiError } from "./api-error.ts";

type ParameterName<P extends string> = P extends `${infer Name}{${string}` ? Name : P;

/** The parameters a route pattern such as `GET /zones/:zone_id/dns_records/:id` names. */
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
  /** The whole body, read before the handler runs: between a handler's look-up and its write nothing else can run. */
  body: Uint8Array<ArrayBuffer>;
}

export type Handler<P extends string = never> = (call: Call<P>) => Response | Promise<Response>;

/** Reads the request's JSON body. @throws ApiError 400 with `code` when it is no JSON or `schema` refuses it */
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

/** @throws ApiError 400 with `code`, naming each field at fault */
export function validate<T>(value: unknown, schema: z.ZodType<T>, code: number): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((issue) => {
    const path = issue.path.map(String).join(".");
    return path === "" ? issue.message : `${path}: ${issue.message}`;
  });
  throw new ApiError(400, code, faults.join("; "));
}
