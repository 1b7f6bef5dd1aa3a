/** A fault of the schema's files or of the database, with a message for operators. */
export class SchemaError extends Error {
  override readonly name = "SchemaError";
}
