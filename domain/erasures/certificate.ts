/** The certificate of an erasure: what was erased, when, at whose request, and what is kept. It follows from the erasure's row alone. */
import * as z from "zod";
import { instant, named } from "../entities/entity.ts";
import { environments } from "../environment.ts";
import { tenantNames } from "../names/deployed-names.ts";
import { tenantHostname } from "../names/hostnames.ts";

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
    /** What the client's instance had at Cloudflare, by kind and name; empty without an instance. */
    resources: z.array(z.object({ kind: z.string(), name: z.string() })),
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

function resourcesOf({ slug, environment, worker_name, own_ai_gateway }: ErasureRecord, domain: string) {
  if (worker_name === null) return [];
  const names = tenantNames(slug, environment);
  return [
    { kind: "Worker, with the storage of its objects", name: worker_name },
    { kind: "Container application", name: names.containerApplication },
    { kind: "Host", name: tenantHostname(slug, environment, domain) },
    // In staging one application protects all tenants.
    ...(environment === "staging" ? [] : [{ kind: "Access application", name: names.accessApplication }]),
    { kind: "API token of the AI gateway", name: names.aiGatewayToken },
    ...(own_ai_gateway === null ? [] : [{ kind: "AI gateway, with its logs", name: own_ai_gateway }]),
  ];
}

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
    ...resources.map(({ kind, name }) => `- ${kind}: ${name}`),
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
