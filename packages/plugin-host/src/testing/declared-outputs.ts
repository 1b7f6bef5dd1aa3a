import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import * as z from "zod";
import type { TestStack } from "./test-stack.ts";

const packages = join(import.meta.dirname, "../../../../node_modules/@pulumi");
const resources = z.array(z.looseObject({ type: z.string(), outputs: z.record(z.string(), z.unknown()).default({}) }));

/** Returns the names of the outputs whose declared type does not allow `undefined`. */
function declaredOutputs(type: string): string[] {
  const [name = "", module = "", className] = type.split(":");
  // The case of file names differs between packages.
  const wanted = `${module.replace(/^index\//, "")}.d.ts`.toLowerCase();
  const found = readdirSync(join(packages, name)).find((file) => file.toLowerCase() === wanted);
  const file = join(packages, name, found ?? wanted);
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest);
  const declared: string[] = [];
  for (const statement of source.statements) {
    if (!ts.isClassDeclaration(statement) || statement.name?.text !== className) continue;
    for (const member of statement.members) {
      if (!ts.isPropertyDeclaration(member) || !ts.isIdentifier(member.name)) continue;
      const output = member.type && ts.isTypeReferenceNode(member.type) ? member.type.typeArguments?.[0] : undefined;
      if (output === undefined) continue;
      const parts = ts.isUnionTypeNode(output) ? [...output.types] : [output];
      if (!parts.some((part) => part.kind === ts.SyntaxKind.UndefinedKeyword)) declared.push(member.name.text);
    }
  }
  return declared;
}

/** Returns the outputs, as `Type.name`, that the vendors' typed packages declare and the state of the stack does not have. */
export async function missingOutputs({ stack }: TestStack): Promise<string[]> {
  const { deployment } = await stack.exportStack();
  return resources
    .parse(deployment.resources)
    .filter(({ type }) => !type.startsWith("pulumi:"))
    .flatMap(({ type, outputs }) =>
      declaredOutputs(type)
        .filter((name) => !(name in outputs))
        .map((name) => `${type.split(":")[2]}.${name}`),
    )
    .toSorted();
}
