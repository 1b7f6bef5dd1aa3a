/** Validation and normalisation of a policy before it is saved. */
import type { ChannelKind } from "../channels/kinds.ts";
import type { StatedError } from "../errors/stated.ts";
import type { EgressMode, EgressPolicy, PlatformHosts } from "./policy-types.ts";

/** A policy as a person states it. */
export interface EgressDraft {
  readonly mode: EgressMode;
  readonly entries: readonly EgressDraftEntry[];
}
export interface EgressDraftEntry {
  readonly host: string;
  readonly ports?: readonly number[] | undefined;
  readonly methods?: readonly string[] | undefined;
}

export interface EgressContext {
  readonly platform: PlatformHosts;
  /** Connected channels of the tenant. `server`: URL of the homeserver of a Matrix channel; without it, it is not checked. Default: none. */
  readonly channels?: readonly { readonly kind: ChannelKind; readonly server?: string | undefined }[];
}

/** A fault, and the entry that has it; undefined for one of the whole policy. */
export interface EgressFault extends StatedError {
  readonly entry: number | undefined;
}

export type EgressValidation =
  | { readonly policy: EgressPolicy; readonly faults?: undefined }
  | { readonly faults: readonly [EgressFault, ...EgressFault[]] };
