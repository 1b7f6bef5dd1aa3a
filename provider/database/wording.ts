import pg from "pg";

const UNREACHABLE = new Set(["ECONNREFUSED", "ENOTFOUND", "ETIMEDOUT", "EHOSTUNREACH", "ECONNRESET"]);

/** SQLSTATEs (PostgreSQL: "Appendix A. PostgreSQL Error Codes"); `TN…` are the platform's own, raised with a sentence. */
function refusal(error: pg.DatabaseError): string {
  const table = [error.schema, error.table].filter(Boolean).join(".");
  switch (error.code) {
    case "TN001":
    case "TN002":
    case "TN030":
      return error.message;
    case "23514":
      return `The database's rule '${error.constraint}' refuses this row of ${table}.`;
    case "23505":
      return `Another row of ${table} has the same value (rule '${error.constraint}').`;
    case "23502":
      return `Column '${error.column}' of ${table} needs a value.`;
    case "23503":
      return error.detail?.includes("is still referenced")
        ? `Rows of ${table} still refer to this row; delete them first.`
        : `A row that this row of ${table} refers to does not exist (rule '${error.constraint}').`;
    case "28P01":
    case "28000":
      return "The database refuses the user or password of the database URL.";
    case "3D000":
      return `The database of the database URL does not exist: ${error.message}.`;
    default:
      // Class 22 quotes the value it could not read.
      if (error.code?.startsWith("22")) return `The database cannot read a value: ${error.message.split(': "', 1)[0]}.`;
      return `The database refused: ${error.message} (SQLSTATE ${error.code})`;
  }
}

/** One sentence for an error of the database or of the way to it; never with values of the row. */
export function databaseWording(error: unknown): string | undefined {
  if (error instanceof pg.DatabaseError) return refusal(error);
  if (error instanceof Error && "code" in error && UNREACHABLE.has(String(error.code))) {
    return `The database cannot be reached (${String(error.code)}): is it running, and is its URL right?`;
  }
  return undefined;
}
