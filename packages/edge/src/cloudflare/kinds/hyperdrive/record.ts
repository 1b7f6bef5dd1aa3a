export interface HyperdriveRecord {
  id: string;
  name: string;
  /** The API never returns the password. */
  origin: { scheme: string; host: string; port?: number; database: string; user: string; password: string };
  origin_connection_limit?: number;
  caching?: { disabled?: boolean; max_age?: number; stale_while_revalidate?: number };
  created_on: string;
  modified_on: string;
  [field: string]: unknown;
}
