/** The parts of a PostgreSQL URL. */

export interface DatabaseAddress {
  host: string;
  port: number;
  database: string;
  user: string;
  password: string;
  /** `disable`, `require`, `verify-full`, …; `require` unless the URL says otherwise or the host is loopback. */
  sslmode: string;
}

/**
 * @param url `postgres://user:password@host:port/database?sslmode=…`
 * @throws Error with one sentence when it is no such URL; its text never holds the password
 */
export function databaseAddress(url: string): DatabaseAddress {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const database = parsed?.pathname.slice(1);
  if (
    parsed === undefined ||
    !/^postgres(ql)?:$/.test(parsed.protocol) ||
    !parsed.hostname ||
    !parsed.username ||
    !database
  ) {
    throw new Error("the database URL is not of the form postgres://user:password@host:port/database");
  }
  const loopback = ["127.0.0.1", "localhost", "[::1]"].includes(parsed.hostname);
  return {
    host: parsed.hostname,
    port: Number(parsed.port || 5432),
    database: decodeURIComponent(database),
    user: decodeURIComponent(parsed.username),
    password: decodeURIComponent(parsed.password),
    sslmode: parsed.searchParams.get("sslmode") ?? (loopback ? "disable" : "require"),
  };
}

/** The URL of an address. */
export function databaseUrl({ host, port, database, user, password, sslmode }: DatabaseAddress): string {
  const login = `${encodeURIComponent(user)}:${encodeURIComponent(password)}`;
  return `postgres://${login}@${host}:${port}/${encodeURIComponent(database)}?sslmode=${sslmode}`;
}
