/** Meanings of fields and parameters that several objects or operations have. */
export const commonTexts: Readonly<Record<string, string>> = {
  // Identity and change
  id: "ID of the object.",
  slug: "Name in hosts and URLs: lower-case letters, digits and hyphens.",
  name: "Display name.",
  version: "Increases with each change; the `ETag` of the object.",
  created_at: "When the object was created.",
  updated_at: "When the object was last changed.",
  managed_by: "Who can change the object: a stack file in Git, or the dashboard and this API.",
  declared_in:
    "Stack file in Git that declares the object; null for an object of the dashboard, or if the file is unknown.",
  environment: "Environment of the platform.",

  // References
  client: "The client that it belongs to.",
  client_id: "ID of the client.",
  instance_id: "ID of the instance.",
  instance_ids: "IDs of the instances that the user can open.",
  user_id: "ID of the user.",
  partner: "The partner; null without one.",
  partner_id: "ID of the partner.",
  backup_id: "ID of the backup.",

  // Lists
  data: "The entries.",
  pagination: "Position in the list.",
  "pagination.next": "Cursor of the next page, to send as `after`; null on the last page.",
  "pagination.total": "Number of all entries. Omitted where counting is not cheap.",
  limit: "Entries per page.",
  after: "`pagination.next` of the previous page. Default: the first page.",

  // People
  email: "E-mail address, in lower case.",
  role: "`ADMIN` manages the gateway of a client, `BASE_USER` uses it.",
  validated_at: "When the user first got access; null before.",

  // Versions
  gateway: "Name of the gateway, such as `openclaw`.",
  gateway_version: "Version of the gateway in the image.",
  reference: "Name of the image with its digest.",
  content_hash: "SHA-256 of the Worker's modules, in hexadecimal.",
  release: "Version of Tenantry that brought the Worker.",
  default: "Whether new tenants get this version.",
  tenants: "Number of tenants.",
  note: "Note for people.",
  withdrawn_at:
    "When the version was withdrawn, so that no tenant can be changed to it; null for an available version.",
  withdrawn: "Whether the version is withdrawn, so that no tenant can be changed to it. Default: unchanged.",

  // Money
  amount_micros: "Amount in millionths of a US dollar.",
  metric: "Metric of the usage.",
  plan: "Billing plan.",
  per_units: "Quantity that the price is for.",
  micros: "Price in millionths of a US dollar.",
  valid_from: "First day (UTC) of the price. It is valid until the next price of its plan and metric.",
  billing_plan: "Billing plan: limits, container size and price.",
  prepaid: "Whether the client pays in advance, and its tenant stops without credit.",
  warn_below_micros: "Balance below which the client is warned, in millionths of a US dollar.",
  delete_when_exhausted: "Whether the client is deleted some weeks after its credit is used up.",

  // Usage
  usage: "Usage by metric, each in its unit: `ai_spend` in millionths of a US dollar, container metrics in seconds.",
  "usage.current": "In the period.",
  "usage.previous": "In the period of the same length before.",
  series: "One entry for each UTC day with usage.",
  day: "UTC day.",
  days: "Length of the period in days, which ends now.",

  // State
  status: "Current status.",
  state_cause: "Why the instance has its status; null if no reason was given.",
  state_deadline: "Until when a passing status may last; null for a stable one.",
  generation: "Number of operations that were started on the instance.",
  cause: "Why it failed or ended; null without a failure.",
  requested_by: "E-mail address of the user who requested it, or `service`.",
  ended_at: "When it ended; null before.",
  at: "Time of the entry.",
  message: "Sentence for people.",
  reason: "Explanation for people.",
  bytes: "Size in bytes.",
  latency_ms: "Duration of the probe in milliseconds.",
  startup_ok: "Whether the gateway has started.",
  readiness_ok: "Whether the gateway accepts requests.",
  liveness_ok: "Whether the gateway responds.",
};
