/** Comments, quoted text and dollar-quoted bodies, in which a semicolon does not end a statement. */
const OPAQUE = /^(?:--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$([A-Za-z_]*)\$[\s\S]*?\$\1\$)/;

export function statementsOf(text: string): string[] {
  const statements: string[] = [];
  let start = 0;
  for (let at = 0; at < text.length; ) {
    const opaque = /[-/'"$]/.test(text.charAt(at)) ? OPAQUE.exec(text.slice(at)) : null;
    at += opaque?.[0].length ?? 1;
    if (opaque === null && text[at - 1] === ";") {
      statements.push(text.slice(start, at).trim());
      start = at;
    }
  }
  const rest = text.slice(start).trim();
  return withoutComments(rest) === "" ? statements : [...statements, rest];
}

export function withoutComments(statement: string): string {
  return statement.replace(/^(?:\s*--[^\n]*(?:\n|$))+/, "").trim();
}
