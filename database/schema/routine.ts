/** Functions, views, triggers and policies: one repeatable statement each, in files by subject. */
import { errorText } from "#domain/errors/catalogue.ts";
import { schemaErrors } from "#domain/errors/database/schema.ts";
import { SchemaError } from "./error.ts";

export const routineKinds = ["function", "view", "trigger", "policy"] as const;
export type RoutineKind = (typeof routineKinds)[number];

export interface Routine {
  kind: RoutineKind;
  /** Such as `function tenantry.caller_id` or `policy in_scope on tenantry.clients`. */
  identity: string;
  file: string;
  create: string;
  /** Statements that belong to it, such as a REVOKE. */
  after: readonly string[];
}

const NAME = "([a-z_]+\\.[a-z_0-9]+)";
/** How statements start; the groups name the object. */
const FORMS: readonly (readonly [RoutineKind, RegExp])[] = [
  ["function", new RegExp(`^create or replace function ${NAME}\\s*\\(`)],
  ["view", new RegExp(`^create or replace view ${NAME}\\s`)],
  ["trigger", new RegExp(`^create (?:or replace |constraint )trigger ([a-z_]+)\\s[\\s\\S]*?\\son ${NAME}\\s`)],
  ["policy", new RegExp(`^create policy ([a-z_]+) on ${NAME}\\s`)],
];
const FOLLOWS = new RegExp(`^revoke all on function ${NAME}\\s*\\(`);

export function parseRoutines(file: string, text: string): Routine[] {
  const routines: (Routine & { after: string[] })[] = [];
  for (const statement of statementsOf(text).map(withoutComments)) {
    const last = routines.at(-1);
    const follows = FOLLOWS.exec(statement)?.[1];
    if (follows !== undefined && last?.identity === `function ${follows}`) {
      last.after.push(statement);
      continue;
    }
    const [kind, found] =
      FORMS.map(([kind, form]) => [kind, form.exec(statement)] as const).find(([, found]) => found !== null) ?? [];
    if (kind === undefined || !found) {
      const [start = ""] = statement.split("\n", 1);
      throw new SchemaError(errorText(schemaErrors.routine_form_unknown, { file, statement: start }));
    }
    const identity = `${kind} ${found.slice(1).join(" on ")}`;
    routines.push({ kind, identity, file, create: statement, after: [] });
  }
  return routines;
}

type Identified = Pick<Routine, "kind" | "identity">;

/** Returns the name with its schema, such as `tenantry.caller_id` or `in_scope on tenantry.clients`. */
export const nameOf = ({ kind, identity }: Identified): string => identity.slice(`${kind} `.length);

export const dropStatement = (routine: Identified): string => `drop ${routine.kind} if exists ${nameOf(routine)}`;

/** Comments, quoted text and dollar-quoted bodies, in which a semicolon does not end a statement. */
const OPAQUE = /^(?:--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$([A-Za-z_]*)\$[\s\S]*?\$\1\$)/;

function statementsOf(text: string): string[] {
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

function withoutComments(statement: string): string {
  return statement.replace(/^(?:\s*--[^\n]*(?:\n|$))+/, "").trim();
}
