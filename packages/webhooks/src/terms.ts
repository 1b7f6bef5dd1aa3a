import type * as z from "zod";

/** The response that tells the vendor that the event was received. */
export interface Acknowledgement {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** What a kind of webhook needs and allows. */
export interface KindTerms {
  label: string;
  /** The vendor's page on verification. */
  documentation: string;
  /** What is verified, and where the vendor sends it. */
  verification: string;
  /** Strict; all values are strings. `parse` sets defaults. */
  secrets: z.ZodObject;
  /** Secrets that the receiver chooses. 32 random bytes as base64url are valid for each. */
  generated: readonly string[];
  methods: readonly string[];
  /** Paths after the address of the webhook, without a leading slash. */
  subpaths: readonly string[];
  /** Other valid subpaths. */
  otherSubpaths?: RegExp;
  maxBodyBytes: number;
  /** The vendor's time limit for the acknowledgement. */
  deadlineMs: number;
  /** The page that documents the time limit. Missing: not documented. */
  deadlineSource?: string;
  /** Request headers that the receiver of the event needs, in lower case. */
  forwarded: readonly string[];
  acknowledgement: Acknowledgement;
}

const KIB = 1_024;
export const MIB = KIB * KIB;

/** Describe the body, which is passed on as it was received. */
export const OF_BODY = ["content-type", "content-encoding"];

/** What most kinds have. The time limit is the shortest that GitHub and GitLab document. */
export const COMMON = {
  generated: [],
  methods: ["POST"],
  subpaths: [""],
  maxBodyBytes: MIB,
  deadlineMs: 10_000,
  forwarded: OF_BODY,
  acknowledgement: { status: 200, headers: {}, body: "" },
} satisfies Partial<KindTerms>;

export const jsonAcknowledgement = (body: unknown): Acknowledgement => ({
  status: 200,
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});
