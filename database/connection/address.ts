export interface DatabaseAddress {
  host: string;
  port: number;
  database: string;
  user: string;
  password: string;
  /** `disable`, `require`, `verify-full`, …. Default: `disable` for a loopback host, else `require`. */
  sslmode: string;
}

/**
 * Parses `postgres://user:password@host:port/database?sslmode=…`.
 * @throws Error for any other URL; its message never contains the password
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

export function databaseUrl({ host, port, database, user, password, sslmode }: DatabaseAddress): string {
  const login = `${encodeURIComponent(user)}:${encodeURIComponent(password)}`;
  return `postgres://${login}@${host}:${port}/${encodeURIComponent(database)}?sslmode=${sslmode}`;
}
