/** Finds statements that write the column `status` of `tenantry.instances`, without running them. */
import ts from "typescript";
import type { Source } from "./production-sources.ts";

export interface StatusWrite {
  /** `file:line`. */
  at: string;
  what: "update" | "insert" | "declared row";
}

const TABLE = /^tenantry[.]instances\b/;

export function statusWrites({ file, text }: Source): StatusWrite[] {
  if (!text.includes("tenantry.instances")) return [];
  if (file.endsWith(".sql"))
    return inSql(text).map(({ what, index }) => ({ at: `${file}:${lineOf(text, index)}`, what }));
  const kind = file.endsWith(".tsx") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, kind);
  const found: StatusWrite[] = [];
  const add = (what: StatusWrite["what"], position: number) =>
    found.push({ at: `${file}:${lineOf(text, position)}`, what });
  const visit = (node: ts.Node): void => {
    const sql = textOf(node);
    if (sql !== undefined) for (const { what, index } of inSql(sql)) add(what, node.getStart(source) + 1 + index);
    if (ts.isCallExpression(node)) {
      if (isCallOn(node, /^(insertInto|mergeInto|replaceInto)$/)) add("insert", node.expression.end);
      if (methodOf(node) === "set" && isUpdate(node, source) && setsStatus(node.arguments, source)) {
        add("update", node.expression.end);
      }
    }
    if (ts.isObjectLiteralExpression(node) && declaresStatus(node)) add("declared row", node.getStart(source));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

const lineOf = (text: string, index: number): number => text.slice(0, index).split("\n").length;

/** Returns a string, or a template with `?` for each inserted character, which preserves positions. */
function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.getText().slice(1, -1);
  if (!ts.isTemplateExpression(node)) return undefined;
  const start = node.getStart() + 1;
  let text = node.getText().slice(1, -1);
  for (const { expression } of node.templateSpans) {
    const [from, to] = [expression.getFullStart() - start, expression.end - start];
    text = text.slice(0, from) + "?".repeat(to - from) + text.slice(to);
  }
  return text;
}

const INSERT = /\b(?:insert|merge)\s+into\s+"?tenantry"?[.]"?instances"?(?=[\s(;]|$)/gi;
const UPDATE = /\bupdate\s+(?:only\s+)?"?tenantry"?[.]"?instances"?\s[^;]*?\bset\b([^;]*)/gi;

function inSql(sql: string): { what: "update" | "insert"; index: number }[] {
  const inserts = [...sql.matchAll(INSERT)].map(({ index }) => ({ what: "insert" as const, index }));
  const updates = [...sql.matchAll(UPDATE)]
    .filter(([, assignments = ""]) => assignsStatus(assignments))
    .map(({ index }) => ({ what: "update" as const, index }));
  return [...inserts, ...updates];
}

/** @param assignments the text after `set` */
function assignsStatus(assignments: string): boolean {
  if (/\(\s*(?:[^()]*,\s*)?"?status"?\s*(?:,[^()]*)?\)\s*=/i.test(assignments)) return true;
  let flat = assignments;
  for (let before = ""; before !== flat; ) [before, flat] = [flat, flat.replaceAll(/\([^()]*\)/g, " ")];
  const [own = ""] = flat.split(/\)|\b(?:where|from|returning)\b/i);
  return /(?:^|,)\s*"?status"?\s*=/i.test(own);
}

const methodOf = ({ expression }: ts.CallExpression): string | undefined =>
  ts.isPropertyAccessExpression(expression) ? expression.name.text : undefined;

function isCallOn(node: ts.CallExpression, method: RegExp): boolean {
  const [table] = node.arguments;
  return (
    method.test(methodOf(node) ?? "") && table !== undefined && ts.isStringLiteral(table) && TABLE.test(table.text)
  );
}

/** Whether a call continues an UPDATE of the table, which can start in a variable. */
function isUpdate(node: ts.Expression, source: ts.SourceFile, depth = 0): boolean {
  if (depth > 30) return false;
  if (ts.isCallExpression(node)) return isCallOn(node, /^updateTable$/) || isUpdate(node.expression, source, depth + 1);
  if (ts.isPropertyAccessExpression(node)) return isUpdate(node.expression, source, depth + 1);
  if (!ts.isIdentifier(node)) return false;
  return valuesOf(node.text, source).some((value) => isUpdate(value, source, depth + 1));
}

/** Returns what a file assigns to a name in any scope, and the results of functions with that name. */
function valuesOf(name: string, source: ts.SourceFile): ts.Expression[] {
  const found: ts.Expression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.name.text === name && node.initializer) {
      found.push(node.initializer);
    }
    if (ts.isFunctionDeclaration(node) && node.name?.text === name && node.body) found.push(...resultsOf(node.body));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function resultsOf(body: ts.ConciseBody): ts.Expression[] {
  if (!ts.isBlock(body)) return [body];
  const found: ts.Expression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isReturnStatement(node) && node.expression) found.push(node.expression);
    if (!ts.isFunctionLike(node)) ts.forEachChild(node, visit);
  };
  visit(body);
  return found;
}

/** Also true if the columns cannot be determined. */
function setsStatus([first, value]: readonly ts.Expression[], source: ts.SourceFile): boolean {
  if (first === undefined) return true;
  if (value !== undefined) return !ts.isStringLiteral(first) || first.text === "status";
  return mayHoldStatus(first, source);
}

/** @param seen names on the current path */
function mayHoldStatus(node: ts.Expression, source: ts.SourceFile, seen: ReadonlySet<string> = new Set()): boolean {
  const inner = (expression: ts.Expression) => mayHoldStatus(expression, source, seen);
  if (ts.isObjectLiteralExpression(node)) {
    return node.properties.some((property) => {
      if (ts.isSpreadAssignment(property)) return inner(property.expression);
      return property.name === undefined || ts.isComputedPropertyName(property.name) || nameOf(property) === "status";
    });
  }
  if (ts.isArrowFunction(node)) return resultsOf(node.body).some(inner);
  if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isSatisfiesExpression(node)) {
    return inner(node.expression);
  }
  if (ts.isAwaitExpression(node)) return inner(node.expression);
  if (ts.isConditionalExpression(node)) return inner(node.whenTrue) || inner(node.whenFalse);
  if (ts.isBinaryExpression(node)) return inner(node.right);
  const called = ts.isCallExpression(node) ? node.expression : node;
  if (!ts.isIdentifier(called)) return true;
  if (called.text === "undefined" || seen.has(called.text)) return false;
  const values = valuesOf(called.text, source);
  return values.length === 0 || values.some((value) => mayHoldStatus(value, source, new Set([...seen, called.text])));
}

function nameOf({ name }: ts.ObjectLiteralElementLike): string | undefined {
  return name !== undefined && (ts.isIdentifier(name) || ts.isStringLiteral(name)) ? name.text : undefined;
}

/** Whether a stack declares a row with a status: `{ table: "tenantry.instances", initial: { status: … } }`. */
function declaresStatus({ properties }: ts.ObjectLiteralExpression): boolean {
  const assigned = properties.filter(ts.isPropertyAssignment);
  const isRow = assigned.some(
    (property) =>
      nameOf(property) === "table" && ts.isStringLiteral(property.initializer) && TABLE.test(property.initializer.text),
  );
  return (
    isRow &&
    assigned.some(
      ({ initializer }) =>
        ts.isObjectLiteralExpression(initializer) &&
        initializer.properties.some((property) => nameOf(property) === "status"),
    )
  );
}
