export { type Account, DEFAULT_ACCOUNT } from "./account/account.ts";
export type { RecordKind } from "./account/records.ts";
export { type Change, Store } from "./account/store.ts";
export { type ProviderAccounts, providerAccounts } from "./ai-gateway/providers.ts";
export type { ProcessImage } from "./containers/process-image.ts";
export { type Edge, type EdgeOptions, IMAGES_FILE, startEdge } from "./edge.ts";
export type { EdgeContext, EdgeExtension } from "./front/extension.ts";
export type { LimitOverrides } from "./limits/edge-limits.ts";
export { lockState } from "./state/lock.ts";
