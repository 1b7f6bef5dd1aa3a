/** A rule with a single key such as `email`, `email_list`, `group`, `everyone`. */
export type AccessRule = Record<string, Record<string, unknown>>;

export interface AccessGroupRecord {
  id: string;
  name: string;
  include: AccessRule[];
  exclude: AccessRule[];
  require: AccessRule[];
  created_at: string;
  updated_at: string;
}

export interface AccessPolicyRecord {
  id: string;
  name: string;
  /** False for a policy of one application, which is deleted with it. */
  reusable?: boolean;
  decision: "allow" | "deny" | "bypass" | "non_identity";
  include: AccessRule[];
  exclude: AccessRule[];
  require: AccessRule[];
  session_duration?: string;
  created_at: string;
  updated_at: string;
  [field: string]: unknown;
}

export interface AccessServiceTokenRecord {
  id: string;
  name: string;
  client_id: string;
  duration: string;
  /** Null: never. */
  expires_at: string | null;
  created_at: string;
  updated_at: string;
  /** Of the client secret, which only the response to its creation has. */
  secret_sha256: string;
}

export interface AccessApplicationRecord {
  id: string;
  aud: string;
  name: string;
  type: string;
  /** Host with an optional path, such as `acme.example.com/api/health`. */
  domain: string;
  session_duration: string;
  /** In order of precedence; reusable policies and those of this application only. */
  policies: { id: string; precedence: number }[];
  created_at: string;
  updated_at: string;
  [field: string]: unknown;
}
