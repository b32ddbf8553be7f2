import { readFileSync, globSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** The arguments that are messages, by the function of the text layer. */
const ARGUMENTS: ReadonlyMap<string, readonly number[]> = new Map([
  ['t', [0]],
  ['rich', [0]],
  ['plural', [1, 2]],
]);

/** The value of a literal, or of literals joined with +. */
function literalOf(node: ts.Node | undefined): string | undefined {
  if (node && ts.isStringLiteralLike(node)) return node.text;
  if (!node || !ts.isBinaryExpression(node)) return undefined;
  const [left, right] = [literalOf(node.left), literalOf(node.right)];
  return left === undefined || right === undefined ? undefined : left + right;
}

/** The messages of a call of the text layer, in the order of its arguments; undefined = not a literal. */
export function messagesIn(node: ts.Node): readonly (string | undefined)[] {
  if (!ts.isCallExpression(node) || !ts.isIdentifier(node.expression)) return [];
  return (ARGUMENTS.get(node.expression.text) ?? []).map((at) => literalOf(node.arguments[at]));
}

/** Each message of the console, and whether it has plural forms. */
export function consoleMessages(folder: string): ReadonlyMap<string, { readonly isPlural: boolean }> {
  const found = new Map<string, { readonly isPlural: boolean }>();
  const visit = (node: ts.Node): void => {
    const messages = messagesIn(node);
    const message = messages.at(-1);
    if (message !== undefined) found.set(message, { isPlural: messages.length > 1 });
    ts.forEachChild(node, visit);
  };
  for (const name of globSync('**/*.{ts,tsx}', { cwd: folder }).toSorted()) {
    if (name.startsWith('text/') || name.includes('.spec.')) continue;
    visit(ts.createSourceFile(name, readFileSync(join(folder, name), 'utf8'), ts.ScriptTarget.ES2024, true));
  }
  return found;
}
