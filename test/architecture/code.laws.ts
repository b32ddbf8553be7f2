import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { redact } from '../../src/kernel/text/redact.js';
import { gather, inSrc, isShipped, type Law } from './law.js';

/** The names of the framework's HTTP exceptions. */
const HTTP_ERRORS = [
  'Http',
  'BadRequest',
  'Unauthorized',
  'Forbidden',
  'NotFound',
  'Conflict',
  'Payload',
  'Unsupported',
  'Unprocessable',
  'InternalServer',
  'BadGateway',
  'Service',
  'GatewayTimeout',
  'NotAcceptable',
  'Gone',
];
const HTTP_EXCEPTION = new RegExp(`^(${HTTP_ERRORS.join('|')})\\w*Exception$`);

const CONSTRUCTOR_CAP = 6;

const isProcessEnv = (node: ts.Node): boolean =>
  (ts.isPropertyAccessExpression(node) && node.name.text === 'env' && node.expression.getText() === 'process') ||
  (ts.isElementAccessExpression(node) && node.expression.getText() === 'process') ||
  (ts.isImportDeclaration(node) && /^(node:)?process$/.test((node.moduleSpecifier as ts.StringLiteral).text));

/** The words that docs/glossary.md bans from names. */
const BANNED_WORDS = new Set(
  [
    .../^## Words that no name has\n([^#]*)/m
      .exec(readFileSync('docs/glossary.md', 'utf8'))![1]!
      .matchAll(/^\| ([a-z]+) \|/gm),
  ].flatMap(([, word]) => (word === 'word' ? [] : [word!])),
);
const wordsOf = (name: string): string[] =>
  name
    .replaceAll(/([a-z])(?=[A-Z])/g, '$1 ')
    .toLowerCase()
    .split(/[^a-z]+/);

/** Rules for the style of code (docs/architecture.md, sections 2 and 9). */
export const codeLaws: readonly Law[] = [
  {
    rule: 'no name has a word that docs/glossary.md bans',
    applies: isShipped,
    find: ({ tree }) =>
      gather(tree, (node) =>
        ts.isIdentifier(node) && wordsOf(node.text).some((word) => BANNED_WORDS.has(word)) ? node.text : undefined,
      ),
    refuses: [
      ['src/http/x.ts', 'const patienceMs = 1;'],
      ['packages/models/src/x.ts', 'const MAX_PATIENCE_MS = 1;'],
      ['src/http/x.ts', 'function f(told: string) {}'],
    ],
    accepts: [['src/http/x.ts', "const impatient = 'patience';"]],
  },
  {
    rule: 'the environment is read in src/config only',
    applies: (path) => inSrc(path) && !path.startsWith('src/config/'),
    find: ({ tree }) => gather(tree, (node) => (isProcessEnv(node) ? node.getText() : undefined)),
    refuses: [
      ['src/http/x.ts', 'const a = process.env.PORT;'],
      ['src/http/x.ts', 'const { PORT } = process.env;'],
      ['src/http/x.ts', "const a = process['env'];"],
      ['src/http/x.ts', "import { env } from 'node:process';"],
    ],
    accepts: [
      ['src/config/x.ts', 'const a = process.env.PORT;'],
      ['src/http/x.ts', '// process.env is read elsewhere\nprocess.exitCode = 1;'],
    ],
  },
  {
    rule: `a constructor takes at most ${CONSTRUCTOR_CAP} parameters`,
    applies: inSrc,
    find: ({ tree }) =>
      gather(tree, (node) =>
        ts.isConstructorDeclaration(node) && node.parameters.length > CONSTRUCTOR_CAP
          ? `takes ${node.parameters.length}`
          : undefined,
      ),
    refuses: [['src/auth/x.ts', 'class X { constructor(a: 1, b: 1, c: 1, d: 1, e: 1, f: 1, g: 1) {} }']],
    accepts: [['src/auth/x.ts', 'class X { constructor(a: 1, b: 1, c: 1, d: 1, e: 1, f: 1) {} }']],
  },
  {
    rule: 'only main.ts and the operator write to the terminal with console',
    applies: (path) => isShipped(path) && path !== 'src/main.ts' && !path.startsWith('src/operator/'),
    find: ({ tree }) =>
      gather(tree, (node) =>
        ts.isPropertyAccessExpression(node) && node.expression.getText() === 'console' ? node.getText() : undefined,
      ),
    refuses: [['src/auth/x.ts', "console.log('x');"]],
    accepts: [
      ['src/operator/x.command.ts', "console.log('x');"],
      ['src/auth/x.ts', "// console.log('x')"],
    ],
  },
  {
    rule: 'fetch is called only in src/providers/wire, src/egress and drivers',
    applies: (path) => isShipped(path) && !/^src\/(providers\/wire|egress)\/|\.driver\.ts$|\/drivers\//.test(path),
    find: ({ tree }) =>
      gather(tree, (node) =>
        ts.isCallExpression(node) && /^(globalThis\.)?fetch$/.test(node.expression.getText())
          ? node.getText().slice(0, 60)
          : undefined,
      ),
    refuses: [
      ['src/inference/x.ts', "await fetch('http://x');"],
      ['src/inference/x.ts', "await globalThis.fetch('http://x');"],
    ],
    accepts: [
      ['src/providers/wire/x.ts', "await fetch('http://x');"],
      ['src/inference/x.ts', 'await this.page.fetch();'],
    ],
  },
  {
    rule: 'HTTP exceptions of the framework stay in src/http: every other room throws a GatewayError',
    applies: (path) => isShipped(path) && !path.startsWith('src/http/'),
    find: ({ tree }) =>
      gather(tree, (node) =>
        ts.isImportSpecifier(node) && HTTP_EXCEPTION.test(node.name.text) ? node.name.text : undefined,
      ),
    refuses: [['src/operations/keys/x.service.ts', "import { NotFoundException } from '@nestjs/common';"]],
    accepts: [
      ['src/http/x.filter.ts', "import { HttpException } from '@nestjs/common';"],
      ['src/operations/keys/x.service.ts', "import { notFound } from '../../kernel/errors.js';"],
    ],
  },
  {
    rule: 'there is no default export',
    applies: inSrc,
    find: ({ tree }) =>
      gather(tree, (node) =>
        ts.isExportAssignment(node) ||
        (ts.canHaveModifiers(node) && ts.getModifiers(node)?.some((m) => m.kind === ts.SyntaxKind.DefaultKeyword))
          ? 'export default'
          : undefined,
      ),
    refuses: [
      ['src/auth/x.ts', 'export default class X {}'],
      ['src/auth/x.ts', 'export default 1;'],
    ],
    accepts: [['src/auth/x.ts', 'export class X {}']],
  },
  {
    rule: 'a type is named for what it is: no I prefix, no Base, Manager, Helper, Util or Impl',
    applies: inSrc,
    find: ({ tree }) =>
      gather(tree, (node) =>
        (ts.isClassDeclaration(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) &&
        /^(I[A-Z][a-z]|Base[A-Z])|(Manager|Helper|Utils?|Impl)$/.test(node.name?.text ?? '')
          ? node.name?.text
          : undefined,
      ),
    refuses: [
      ['src/auth/x.ts', 'interface IClock {}'],
      ['src/auth/x.ts', 'abstract class BaseService {}'],
      ['src/auth/x.ts', 'class KeyManager {}'],
    ],
    accepts: [['src/auth/x.ts', 'class Intern {}\ninterface Idle {}\ntype IdempotencyKey = string;']],
  },
  {
    // V8 creates a separate map for each such object. The map retains everything that the getter references until the
    // next full garbage collection.
    rule: 'a getter is a member of a class, never of an object literal',
    applies: isShipped,
    find: ({ tree }) =>
      gather(tree, (node) =>
        ts.isGetAccessor(node) && ts.isObjectLiteralExpression(node.parent) ? `get ${node.name.getText()}` : undefined,
      ),
    refuses: [['src/inference/x.ts', 'const response = { get output() { return read(); } };']],
    accepts: [['src/inference/x.ts', 'class Response { get output(): number { return 1; } }']],
  },
  {
    rule: 'no message to a caller has a text that the redactor treats as a secret',
    applies: isShipped,
    find: ({ tree }) =>
      gather(tree, (node) => {
        const message = isErrorCall(node) ? wordsIn(node) : '';
        return redact(message) === message ? undefined : message;
      }),
    refuses: [
      ['src/auth/x.ts', "throw unauthenticated('Malformed: send Authorization: sesame');"],
      ['src/auth/x.ts', "throw new GatewayError('internal', `send x-api-key: ${key} with it`);"],
    ],
    accepts: [
      ['src/auth/x.ts', 'throw unauthenticated(\'Malformed: send "Authorization: Bearer <API_KEY>"\');'],
      ['src/auth/x.ts', "const header = 'x-api-key: sesame';"],
    ],
  },
];

/** Functions and classes that create an error whose message a caller reads. */
const ERROR_MAKERS = new RegExp(
  '^(invalidRequest|notFound|forbidden|conflict|unauthenticated|refused|notJson|invalidBody|GatewayError' +
    '|internErrors\\.\\w+)$',
);

const isErrorCall = (node: ts.Node): node is ts.CallExpression | ts.NewExpression =>
  (ts.isCallExpression(node) || ts.isNewExpression(node)) && ERROR_MAKERS.test(node.expression.getText());

/** The texts among the arguments, with a placeholder for each inserted value. */
const wordsIn = (node: ts.CallExpression | ts.NewExpression): string =>
  (node.arguments ?? [])
    .map((argument) =>
      ts.isTemplateExpression(argument)
        ? argument.head.text + argument.templateSpans.map(({ literal }) => `value${literal.text}`).join('')
        : ts.isStringLiteralLike(argument)
          ? argument.text
          : '',
    )
    .join('\n');
