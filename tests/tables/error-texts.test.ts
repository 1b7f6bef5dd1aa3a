/** Texts of errors that users read are in the catalogue, `domain/errors/`. Elsewhere only errors for logs and programmers state a text. */
import ts from "typescript";
import { expect, test } from "vitest";
import { productionSources, type Source } from "#database/testing/production-sources.ts";
import { errorAreas } from "#domain/errors/all.ts";

interface Area {
  files: readonly string[];
  /** Classes and functions whose first argument is the text that a user reads. */
  errors: RegExp;
}

/** A Worker logs every other error, and responds with its ID. */
const RESPONSES = /^(Failure|NotAdmitted|Refusal|BackupRefused|failure|refusal|errorResponse|statedResponse)$/;
const ALL = /(Error|Refused|Unanswered)$/;
/** The first argument of an `OutputError` is a code. */
const COMMANDS = /(?<!Output)(Error|Refused|Unanswered)$/;

const AREAS: readonly Area[] = [
  { files: ["workers/{contracts,dashboard,dispatch,shared,tenant}/**/*.{ts,tsx}"], errors: RESPONSES },
  { files: ["workers/dashboard/ui/**/*.{ts,tsx}", "workers/*.ts", "database/schema/**/*.ts"], errors: ALL },
  { files: ["{automation,fleet,local/start,local/state,policy,stack}/**/*.ts", "local/*.ts"], errors: COMMANDS },
];

interface Exception {
  file: string;
  /** Start of the text. */
  text: string;
  /** Why no user reads it. */
  because: string;
}

const EXCEPTIONS: readonly Exception[] = [
  {
    file: "workers/dashboard/ui/frame/start/start-app.tsx",
    text: "The page has no element",
    because: "only a change of index.html causes it",
  },
  {
    file: "workers/dashboard/ui/api/session.ts",
    text: "The viewer is no user of a tenant.",
    because: "the console's API accepts users of a tenant only",
  },
  {
    file: "local/edge.ts",
    text: "The edge started without its database.",
    because: "the edge always starts it",
  },
  {
    file: "stack/fleet/fleet.ts",
    text: "No gateway was planned for",
    because: "the plan has a choice for every client",
  },
  {
    file: "stack/fleet/placement.ts",
    text: "the settings name no platform",
    because: "the schema requires at least one",
  },
  {
    file: "automation/rollouts/rollouts.ts",
    text: "The rollout ",
    because: "the ID is of the same list",
  },
  {
    file: "local/start/replacement-document.ts",
    text: "No provider serves",
    because: "only a developer runs it",
  },
];

/** Returns the literal text of an expression, also behind a constant of the file; undefined for other values. */
function textOf(node: ts.Expression | undefined, source: ts.SourceFile): string | undefined {
  if (node === undefined) return undefined;
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node)) return node.head.text;
  if (ts.isParenthesizedExpression(node)) return textOf(node.expression, source);
  if (ts.isBinaryExpression(node)) return textOf(node.left, source) ?? textOf(node.right, source);
  if (ts.isConditionalExpression(node)) return textOf(node.whenTrue, source) ?? textOf(node.whenFalse, source);
  if (ts.isObjectLiteralExpression(node)) {
    const message = node.properties.find((property) => property.name?.getText() === "message");
    return message !== undefined && ts.isPropertyAssignment(message) ? textOf(message.initializer, source) : undefined;
  }
  if (!ts.isIdentifier(node)) return undefined;
  return textOf(constantOf(source, node.text), source);
}

/** Returns the value of a constant of the file, if there is only one of that name. */
function constantOf(source: ts.SourceFile, name: string): ts.Expression | undefined {
  const found: ts.Expression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && node.name.getText() === name && node.initializer)
      found.push(node.initializer);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found.length === 1 && found[0] !== undefined && !ts.isIdentifier(found[0]) ? found[0] : undefined;
}

/** A message for each text of an error outside the catalogue. */
function strayTexts({ file, text }: Source, errors: RegExp): { at: string; text: string }[] {
  const kind = file.endsWith(".tsx") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, kind);
  const found: { at: string; text: string }[] = [];
  const visit = (node: ts.Node): void => {
    if ((ts.isNewExpression(node) || ts.isCallExpression(node)) && errors.test(node.expression.getText())) {
      const stated = textOf(node.arguments?.[0], source);
      const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      if (stated !== undefined && stated !== "") found.push({ at: `${file}:${line}`, text: stated });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

const isException = (stray: { at: string; text: string }, { file, text }: Exception) =>
  stray.at.startsWith(`${file}:`) && stray.text.startsWith(text);

test("no production source states the text of an error that users read", () => {
  const strays = AREAS.flatMap(({ files, errors }) => {
    const sources = productionSources(files);
    expect(sources.length, files.join(", ")).toBeGreaterThan(3);
    return sources.flatMap((source) => strayTexts(source, errors));
  });
  const faults = strays.filter((stray) => !EXCEPTIONS.some((exception) => isException(stray, exception)));
  expect(
    faults.map(({ at, text }) => `${at} states "${text}". Add an entry to domain/errors/, and state that.`),
  ).toEqual([]);
  const unused = EXCEPTIONS.filter((exception) => !strays.some((stray) => isException(stray, exception)));
  expect(unused, "exceptions without a text").toEqual([]);
});

test.each([
  ['throw new Failure("conflict");', RESPONSES],
  [`throw failure(\`The client \${slug} is in use.\`);`, RESPONSES],
  ['return errorResponse("Not found. " + remedy);', RESPONSES],
  ['return statedResponse({ code: "conflict", reason: "planted", message: "In use." });', RESPONSES],
  ['const message = "In use.";\nthrow new Refusal(message);', RESPONSES],
  ['throw new Error("Failed to load.");', ALL],
  ['throw new RangeError(isLate ? "Late." : cause);', ALL],
])("finds a planted text: %s", (text, errors) => {
  expect(strayTexts({ file: "workers/planted.ts", text }, errors)).toHaveLength(1);
});

test.each([
  ["throw failure(clientErrors.client_not_found);", RESPONSES],
  ['throw new Error("The binding is missing.");', RESPONSES],
  ["throw new Error(errorText(interfaceErrors.page_outdated));", ALL],
])("accepts %s", (text, errors) => {
  expect(strayTexts({ file: "workers/planted.ts", text }, errors)).toEqual([]);
});

test("domain/errors/all.ts lists every error", () => {
  const listed = new Set(errorAreas.flatMap(({ entries }) => entries.map(({ reason }) => reason)));
  const declared = productionSources(["domain/errors/**/*.ts"])
    .filter(({ file }) => file !== "domain/errors/catalogue.ts")
    .flatMap(({ file, text }) => {
      const [, ...tables] = text.split("= defineErrors({\n");
      return tables.flatMap((table) =>
        [...table.matchAll(/^ {2}(\w+): \{/gm)].map(([, reason = ""]) => ({ file, reason })),
      );
    });
  expect(declared.length).toBe(listed.size);
  expect(declared.filter(({ reason }) => !listed.has(reason))).toEqual([]);
});
