import ts from "typescript";

/** Returns the string literals of a module that reference others: imports, exports, and `new URL("module.ts", import.meta.url)`. */
export function references(source) {
  const found = [];
  const add = (literal, specifier = literal?.text) => {
    if (literal !== undefined && ts.isStringLiteral(literal)) found.push({ literal, specifier });
  };
  const visit = (node) => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) add(node.moduleSpecifier);
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) add(node.arguments[0]);
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) add(node.argument.literal);
    else if (ts.isNewExpression(node) && node.expression.getText(source) === "URL") {
      const [path, base] = node.arguments ?? [];
      const isModule = path !== undefined && ts.isStringLiteral(path) && /\.m?ts$/.test(path.text);
      if (isModule && base?.getText(source) === "import.meta.url") {
        add(path, path.text.startsWith(".") ? path.text : `./${path.text}`);
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}
