import ts from 'typescript';
import { messagesIn } from '../../dev/console-messages.js';
import { gather, isTest, type Law } from './law.js';

const inConsole = (path: string): boolean =>
  path.startsWith('console/src/') && !path.startsWith('console/src/text/') && !isTest(path);

/** Attributes and members whose values people read. */
const READ = new Set(
  (
    'about advice alt aria-label description empty header heading hint label many message one placeholder question ' +
    'subject title'
  ).split(' '),
);
/** Elements with commands and names of files and products, which are the same in every language. */
const CODE = new Set(['code', 'Code', 'pre', 'kbd', 'Kbd']);
const SAME_EVERYWHERE = new RegExp(
  '^(' +
    '\\(UTC\\)|curl|openai \\(\\w+\\)|Slack|Discord|Microsoft Teams|' +
    '[~.][\\w./]*|[\\w-]+\\.(py|mjs|json|ya?ml|toml)|https?:\\S*' +
    ')$',
);

const isText = (text: string): boolean => /[A-Za-z]{2}/.test(text) && !SAME_EVERYWHERE.test(text.trim());

const nameOf = (name: ts.Node): string => name.getText().replaceAll("'", '');

const inCode = ({ parent }: ts.Node): boolean =>
  ts.isJsxElement(parent) && CODE.has(parent.openingElement.tagName.getText());

/** The literals to which an expression can evaluate. */
function literalsIn(node: ts.Node | undefined): readonly (ts.StringLiteralLike | ts.TemplateExpression)[] {
  if (node === undefined) return [];
  if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) return [node];
  if (ts.isJsxExpression(node) || ts.isParenthesizedExpression(node)) return literalsIn(node.expression);
  if (ts.isConditionalExpression(node)) return [...literalsIn(node.whenTrue), ...literalsIn(node.whenFalse)];
  if (ts.isBinaryExpression(node)) return literalsIn(node.right);
  return [];
}

const textOf = (literal: ts.StringLiteralLike | ts.TemplateExpression): string =>
  ts.isTemplateExpression(literal)
    ? [literal.head, ...literal.templateSpans.map((span) => span.literal)].map(({ text }) => text).join(' ')
    : literal.text;

/** The literal text at a place where people read it. Undefined if there is none. */
function readIn(node: ts.Node): string | undefined {
  if (ts.isJsxText(node)) return inCode(node) ? undefined : node.text;
  const value =
    ts.isJsxAttribute(node) || ts.isPropertyAssignment(node)
      ? READ.has(nameOf(node.name)) && node.initializer
      : ts.isJsxExpression(node) && !ts.isJsxAttribute(node.parent) && !inCode(node) && node.expression;
  return literalsIn(value || undefined)
    .map(textOf)
    .find(isText);
}

/** Rules for the texts of the console. */
export const textLaws: readonly Law[] = [
  {
    rule: 'a text that people read goes through the text layer',
    applies: inConsole,
    find: ({ tree }) =>
      gather(tree, (node) => {
        const text = readIn(node);
        return text !== undefined && isText(text) ? text.trim() : undefined;
      }),
    refuses: [
      ['console/src/x.tsx', 'const a = <p>Hello</p>;'],
      ['console/src/x.tsx', 'const a = <Button label="Save" />;'],
      ['console/src/x.tsx', "const a = <Button label={isNew ? 'Create' : t('Save')} />;"],
      ['console/src/x.tsx', 'const a = <p>{`${count} calls`}</p>;'],
      ['console/src/x.ts', "const a = { header: 'Name' };"],
    ],
    accepts: [
      ['console/src/x.tsx', "const a = <p>{t('Hello')}</p>;"],
      ['console/src/x.tsx', 'const a = <p><code>npm start</code> · 5 %</p>;'],
      ['console/src/x.tsx', 'const a = <Tab value="keys" />;'],
    ],
  },
  {
    rule: 'a message of the text layer is a literal, so that it can be listed',
    applies: inConsole,
    find: ({ tree }) => gather(tree, (node) => (messagesIn(node).includes(undefined) ? node.getText(tree) : undefined)),
    refuses: [
      ['console/src/x.ts', 'const a = t(name);'],
      ['console/src/x.ts', 'const a = plural(count, `{count} ${noun}`, many);'],
    ],
    accepts: [
      ['console/src/x.ts', "const a = t('Save');"],
      ['console/src/x.ts', "const a = t('A long text ' + 'in two parts', { name });"],
    ],
  },
];
