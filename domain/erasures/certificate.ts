/** The certificate of an erasure: what was erased, when, at whose request, and what is kept. It follows from the erasure's row alone. */
import * as z from "zod";
import { instant, named } from "../entities/entity.ts";
import { environments } from "../environment.ts";
import { tenantNames } from "../names/deployed-names.ts";
import { RESOURCE_KINDS, type ResourceKind, tenantResources } from "./resources.ts";

export const CERTIFICATE_FORMAT = "tenantry-erasure-1";

export const erasureCertificate = z.object({
  format: z.literal(CERTIFICATE_FORMAT),
  id: z.uuid(),
  environment: z.enum(environments),
  client: named,
  requested_by: z.string(),
  requested_at: instant,
  /** Null until everything is erased. */
  erased_at: instant.nullable(),
  erased: z.object({
    /** Null if the client had no bucket. The counts are those before its objects were deleted. */
    bucket: z.object({ name: z.string(), objects: z.number(), bytes: z.number() }).nullable(),
    /** What Cloudflare no longer has, by kind and name. */
    resources: z.array(
      z.object({
        kind: z.string(),
        name: z.string(),
        /** When Cloudflare was read and had no such resource. Null if an earlier version erased the client, without a check. */
        absent_at: instant.nullable(),
      }),
    ),
    /** Deleted rows of the database, by table. */
    rows: z.record(z.string(), z.number()),
  }),
  kept: z.array(z.object({ what: z.string(), why: z.string() })),
});
export type ErasureCertificate = z.infer<typeof erasureCertificate>;

const KEPT = [
  { what: "Invoices, the ledger and daily usage", why: "The law requires the records of what was billed." },
  { what: "The audit log", why: "It proves who changed what. Its entries cannot be changed or deleted." },
  { what: "Jobs of the last 90 days, without state", why: "Operators find faults by them. They expire." },
  {
    what: "Logs of model calls at a shared AI gateway, and measurements",
    why: "They are not stored by tenant. They expire at Cloudflare.",
  },
  { what: "Copies of the database that the operator made before", why: "They expire as the operator set." },
] as const;

const STORAGE = "Cloudflare deletes the storage of a Worker's objects and the logs of an AI gateway with them.";

export interface ErasureRecord {
  id: string;
  environment: (typeof environments)[number];
  client_id: string;
  slug: string;
  name: string;
  worker_name: string | null;
  own_ai_gateway: string | null;
  requested_by: string;
  requested_at: Date;
  bucket_objects: number | null;
  bucket_bytes: number | null;
  rows: Readonly<Record<string, number>>;
  erased_at: Date | null;
  checked_at: Date | null;
  checked_resources: readonly { kind: string; name: string }[] | null;
}

export function certificateOf(erasure: ErasureRecord, domain: string): ErasureCertificate {
  const { slug, environment, bucket_objects: objects, bucket_bytes: bytes } = erasure;
  const bucket = tenantNames(slug, environment).backupBucket;
  return {
    format: CERTIFICATE_FORMAT,
    id: erasure.id,
    environment,
    client: { id: erasure.client_id, slug, name: erasure.name },
    requested_by: erasure.requested_by,
    requested_at: erasure.requested_at.toISOString(),
    erased_at: erasure.erased_at?.toISOString() ?? null,
    erased: {
      bucket: objects === null ? null : { name: bucket, objects, bytes: bytes ?? 0 },
      resources: erasure.erased_at === null ? [] : resourcesOf(erasure, domain),
      rows: erasure.erased_at === null ? {} : erasure.rows,
    },
    kept: [...KEPT],
  };
}

/** Kinds of which each tenant had every listed resource: all that an erasure without a check can state. */
const TORN_DOWN: readonly ResourceKind[] = ["worker", "container_application", "dns_record", "ai_gateway"];

function resourcesOf(erasure: ErasureRecord, domain: string): ErasureCertificate["erased"]["resources"] {
  const { checked_at, checked_resources, worker_name, slug, environment } = erasure;
  if (checked_resources !== null) {
    const absent_at = checked_at?.toISOString() ?? null;
    return checked_resources.map(({ kind, name }) => ({ kind: kindText(kind), name, absent_at }));
  }
  if (worker_name === null) return [];
  const names = tenantNames(slug, environment);
  const single = [names.accessApplication, names.aiGatewayToken];
  return tenantResources(erasure, domain)
    .filter(({ kind, name }) => TORN_DOWN.includes(kind) || single.includes(name))
    .map(({ kind, name }) => ({ kind: kindText(kind), name, absent_at: null }));
}

/** A later version may have stored another kind. */
const kindText = (kind: string): string => Object.entries(RESOURCE_KINDS).find(([one]) => one === kind)?.[1] ?? kind;

/** Returns the certificate for people, one line or paragraph each. */
export function certificateLines(certificate: ErasureCertificate): string[] {
  const { client, erased, kept, erased_at: at } = certificate;
  const { bucket, resources, rows } = erased;
  const counted = Object.entries(rows).filter(([, count]) => count > 0);
  return [
    `Certificate of erasure ${certificate.id}`,
    `Client: ${client.name} (${client.slug}, ${client.id}), ${certificate.environment}`,
    `Requested by ${certificate.requested_by} on ${certificate.requested_at}`,
    at === null ? "Not erased yet." : `Erased on ${at}:`,
    ...(at === null ? [] : [bucketLine(bucket)]),
    ...resources.map(
      ({ kind, name, absent_at }) =>
        `- ${kind}: ${name}. ${absent_at === null ? "Not read back" : `Absent from Cloudflare on ${absent_at}`}.`,
    ),
    ...(resources.length === 0 ? [] : [STORAGE]),
    ...(counted.length === 0
      ? []
      : [`- Rows of the database: ${counted.map(([table, count]) => `${table} ${count}`).join(", ")}`]),
    "Kept:",
    ...kept.map(({ what, why }) => `- ${what}. ${why}`),
  ];
}

const bucketLine = (bucket: ErasureCertificate["erased"]["bucket"]): string =>
  bucket === null
    ? "- Bucket of backups: there was none"
    : `- Bucket of backups: ${bucket.name}, ${bucket.objects} objects with ${bucket.bytes} bytes`;
