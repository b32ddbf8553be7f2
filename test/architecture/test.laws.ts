import ts from 'typescript';
import { gather, isTest, type Law } from './law.js';

const insideConditional = (node: ts.Node): boolean =>
  node.parent !== undefined && (ts.isConditionalExpression(node.parent) || insideConditional(node.parent));

/** The title of an `it(...)` or `test(...)` call. Undefined for any other node and for computed titles. */
function titleOf(node: ts.Node): string | undefined {
  if (!ts.isCallExpression(node)) return undefined;
  const callee = node.expression.getText();
  if (!/^(it|test)(\.each\([\s\S]*\))?$/.test(callee)) return undefined;
  const [title] = node.arguments;
  return title && ts.isStringLiteralLike(title) ? title.text : undefined;
}

/** Rules for tests (docs/architecture.md, section 9). */
export const testLaws: readonly Law[] = [
  {
    rule: 'no test is switched off or alone',
    applies: isTest,
    find: ({ tree }) =>
      gather(tree, (node) => {
        if (ts.isIdentifier(node) && /^(fit|fdescribe|xit|xtest|xdescribe)$/.test(node.text)) return node.text;
        if (!ts.isPropertyAccessExpression(node) || !/^(it|test|describe)\b/.test(node.expression.getText()))
          return undefined;
        if (node.name.text === 'only' || node.name.text === 'todo') return node.getText();
        // A test may be skipped on a visible condition, such as a missing Redis or a short run.
        return node.name.text === 'skip' && !insideConditional(node) ? node.getText() : undefined;
      }),
    refuses: [
      ['src/auth/x.spec.ts', "it.only('a b c', () => {});"],
      ['src/auth/x.spec.ts', "describe.skip('a', () => {});"],
      ['src/auth/x.spec.ts', "xit('a b c', () => {});"],
      ['test/e2e/x.e2e-spec.ts', "it.skip.each([1])('a b c', () => {});"],
    ],
    accepts: [['src/auth/x.spec.ts', 'const whenLong = LONG ? it : it.skip;']],
  },
  {
    rule: 'a test is named by a sentence about behaviour',
    applies: isTest,
    find: ({ tree }) =>
      gather(tree, (node) => {
        const title = titleOf(node);
        if (title === undefined) return undefined;
        if (/^should\b/i.test(title)) return `"${title}" says should: say what happens`;
        return title.trim().split(/\s+/).length < 3 && !/[$%]/.test(title) ? `"${title}" is not a sentence` : undefined;
      }),
    refuses: [
      ['src/auth/x.spec.ts', "it('should answer 401', () => {});"],
      ['src/auth/x.spec.ts', "it('works', () => {});"],
      ['src/auth/x.spec.ts', "it.each([1, 2])('works', () => {});"],
    ],
    accepts: [['src/auth/x.spec.ts', "it('an expired key returns 401', () => {});"]],
  },
  {
    rule: 'no two tests of a file have the same name under the same heading',
    applies: isTest,
    find: ({ tree }) => {
      const seen = new Set<string>();
      return gather(tree, (node) => {
        const title = titleOf(node);
        if (title === undefined) return undefined;
        const place = `${headingOf(node)} › ${title}`;
        return seen.has(place) ? `twice: ${title}` : void seen.add(place);
      });
    },
    refuses: [['src/auth/x.spec.ts', "it('a b c', () => {});\nit('a b c', () => {});"]],
    accepts: [
      [
        'src/auth/x.spec.ts',
        "describe('x', () => { it('a b c', () => {}); });\ndescribe('y', () => { it('a b c', () => {}); });",
      ],
    ],
  },
  {
    rule: 'no module is mocked: a fake is given through the constructor',
    applies: () => true,
    find: ({ tree }) =>
      gather(tree, (node) =>
        ts.isPropertyAccessExpression(node) &&
        /^jest$/.test(node.expression.getText()) &&
        /^(mock|doMock|unstable_mockModule)$/.test(node.name.text)
          ? node.getText()
          : undefined,
      ),
    refuses: [['src/auth/x.spec.ts', "jest.mock('./y.js');"]],
    accepts: [['src/auth/x.spec.ts', 'const f = jest.fn();']],
  },
];

function headingOf(node: ts.Node): string {
  const headings: string[] = [];
  for (let at: ts.Node | undefined = node.parent; at; at = at.parent) {
    if (ts.isCallExpression(at) && at.expression.getText().startsWith('describe'))
      headings.unshift(at.arguments[0]?.getText() ?? '');
  }
  return headings.join(' › ');
}
