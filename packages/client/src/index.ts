export { type Client, type ClientOptions, createClient } from "./client.ts";
export { ApiError, NoResponseError } from "./errors.ts";
export { operationPaths } from "./generated/operations.ts";
export type { Answer, Entry, Input, ListId, OperationId, Schemas } from "./operation.ts";
export type { RequestOptions } from "./request.ts";
export { type TenantClientOptions, tenantClient } from "./tenant.ts";
