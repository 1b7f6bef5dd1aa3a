/** A fault of the schema's files, or of the database they are applied to, in sentences for an operator: what failed, and what to do. */
export class SchemaError extends Error {
  override readonly name = "SchemaError";
}
