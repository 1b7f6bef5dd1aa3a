/** Calls an operation of the API as a user of the dashboard, or as a service token of a tenant. */
import { setTimeout as delay } from "node:timers/promises";
import { ApiError, type Client, NoResponseError, type OperationId, type RequestOptions } from "@tenantry/client";
import { localhostFetch } from "@tenantry/std/localhost-fetch";
import * as z from "zod";
import { job } from "#domain/entities/job.ts";
import { CatalogueError } from "#domain/errors/catalogue-error.ts";
import { fleetCallErrors as errors } from "#domain/errors/commands/fleet-call.ts";
import { inputOf, type OperationInput, operationOf, pathParameters } from "./input.ts";
import { clientFor } from "./login.ts";

export interface CallOptions {
  operation: string;
  /** Of path, query and body, each as `NAME=VALUE`. */
  values: readonly string[];
  /** Slug of the tenant whose ids the path needs. Default: that of the login. */
  tenant: string | undefined;
  /** Whether to wait until the job ends that the operation requested. */
  wait: boolean;
  variables: Readonly<Record<string, string | undefined>>;
  signal: AbortSignal;
  /** Receives progress messages. */
  say: (line: string) => void;
  fetch?: typeof globalThis.fetch;
}

const POLL_MS = 1_000;

const requested = job.pick({ id: true, kind: true, status: true, ended_at: true });
const requestedJob = z.union([requested, z.object({ job: requested }).transform((body) => body.job)]);

/**
 * Returns the answer: JSON, undefined without a body, or the response for another type.
 *
 * @throws CatalogueError when the API refuses the call, or the job of `wait` fails
 */
export async function callOperation(options: CallOptions): Promise<unknown> {
  const { operation, values, tenant, wait, variables, signal, say, fetch = localhostFetch } = options;
  const id = operationOf(operation);
  const input = inputOf(id, values);
  const client = clientFor(variables, fetch);
  // The compiler cannot know the input of an operation that a command line names.
  const call = client.call as (id: OperationId, input: OperationInput, options: RequestOptions) => Promise<unknown>;
  try {
    await addIds(client, id, input, tenant);
    const answer = await call(id, input, { signal });
    const followed = wait ? requestedJob.safeParse(answer).data : undefined;
    return followed === undefined ? answer : await endOf(client, followed.id, signal, say);
  } catch (error) {
    throw statedError(error);
  }
}

/** Parameters that follow from the tenant. */
const TENANT_IDS = ["client_id", "instance_id"] as const;

/** Adds the ids of client and instance that the path needs. @throws CatalogueError when a value of the path is missing */
async function addIds(client: Client, id: OperationId, input: OperationInput, slug: string | undefined): Promise<void> {
  const isMissing = (name: string) => input.path[name] === undefined;
  const names = pathParameters(id);
  const needed = TENANT_IDS.filter((name) => names.includes(name) && isMissing(name));
  const ids = needed.length > 0 ? await idsOf(client, slug) : undefined;
  for (const name of needed) {
    const value = ids?.[name];
    if (value != null) input.path[name] = value;
    else if (ids !== undefined) throw new CatalogueError(errors.call_tenant_without_instance, ids);
  }
  const missing = names.find(isMissing);
  if (missing !== undefined) throw new CatalogueError(errors.call_value_missing, { operation: id, name: missing });
}

/** @returns undefined when neither login nor slug names a tenant */
async function idsOf(client: Client, slug: string | undefined) {
  const { tenant } = await client.call("getSession");
  if (tenant !== null && (slug === undefined || slug === tenant.client.slug))
    return { slug: tenant.client.slug, client_id: tenant.client.id, instance_id: tenant.instance_id };
  if (slug === undefined) return undefined;
  if (tenant === null) {
    for await (const found of client.list("listClients", { query: { search: slug } })) {
      if (found.slug === slug) return { slug, client_id: found.id, instance_id: found.instance?.id ?? null };
    }
  }
  throw new CatalogueError(errors.call_tenant_unknown, { slug });
}

/** Waits until a job ends, and reports its progress. @throws CatalogueError when it fails */
async function endOf(client: Client, id: string, signal: AbortSignal, say: (line: string) => void): Promise<unknown> {
  for (let last = ""; ; ) {
    const answer = await client.call("getJob", { path: { id } }, { signal });
    const { kind, status, progress, ended_at, cause } = answer;
    const line = `${kind}: ${status}, ${progress} %`;
    if (line !== last) say(line);
    last = line;
    if (ended_at === null) {
      await delay(POLL_MS, undefined, { signal });
      continue;
    }
    if (status === "succeeded") return answer;
    throw new CatalogueError(errors.call_job_failed, { id, status, cause: cause ?? "no cause is recorded." });
  }
}

/** Returns the API's own text, with the faults of the fields of an invalid request. */
function statedError(error: unknown): unknown {
  if (error instanceof ApiError) {
    const details = error.details === undefined ? "" : `\n${JSON.stringify(error.details, null, 2)}`;
    return new CatalogueError({ message: `${error.message}${details}`, reason: error.reason ?? error.code });
  }
  return error instanceof NoResponseError
    ? new CatalogueError(errors.call_no_response, { fault: error.message })
    : error;
}
