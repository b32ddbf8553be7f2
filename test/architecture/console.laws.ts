import ts from 'typescript';
import { gather, isTest, type Law } from './law.js';

const inConsole = (path: string): boolean => path.startsWith('console/src/') && !isTest(path);

/** Whether a member belongs to the props of a component: to an interface `…Props`, or to the type of a parameter. */
const isProp = ({ parent }: ts.PropertySignature): boolean =>
  ts.isInterfaceDeclaration(parent)
    ? parent.name.text.endsWith('Props')
    : ts.isTypeLiteralNode(parent) && ts.isParameter(parent.parent) && ts.isObjectBindingPattern(parent.parent.name);

const isCallback = ({ type }: ts.PropertySignature): boolean =>
  type !== undefined && ts.isFunctionTypeNode(type) && /^(void|Promise<.*>)$/.test(type.type.getText());

/** Rules for the code of the console. */
export const consoleLaws: readonly Law[] = [
  {
    rule: 'a callback among the props of a component is named on…',
    applies: (path) => inConsole(path) && path.endsWith('.tsx'),
    find: ({ tree }) =>
      gather(tree, (node) =>
        ts.isPropertySignature(node) && isProp(node) && isCallback(node) && !/^on[A-Z]/.test(node.name.getText(tree))
          ? node.name.getText(tree)
          : undefined,
      ),
    refuses: [
      ['console/src/x.tsx', 'interface FormProps { readonly change: (value: string) => void }'],
      ['console/src/x.tsx', 'function Form({ done }: { readonly done?: () => Promise<void> }) { return null; }'],
    ],
    accepts: [
      ['console/src/x.tsx', 'interface FormProps { readonly onChange: (value: string) => void }'],
      ['console/src/x.tsx', 'interface TableProps { readonly rowKey: (row: Row) => string }'],
      ['console/src/x.tsx', 'interface Talk { readonly cancel: () => void }'],
    ],
  },
  {
    rule: 'the key of a query is in the table of query keys',
    applies: (path) => inConsole(path) && path !== 'console/src/api/query-keys.ts',
    find: ({ tree }) =>
      gather(tree, (node) => {
        const key = keyIn(node);
        return key && ts.isArrayLiteralExpression(key) ? key.getText(tree) : undefined;
      }),
    refuses: [
      ['console/src/x.ts', "const options = { queryKey: ['keys', hash] };"],
      ['console/src/x.tsx', "const list = useCursorList(['audit'], read);"],
      ['console/src/x.ts', "queries.setQueryData(['keys'], data);"],
    ],
    accepts: [
      ['console/src/x.ts', 'const options = { queryKey: QUERY_KEYS.key(hash) };'],
      ['console/src/api/query-keys.ts', "const options = { queryKey: ['keys'] };"],
    ],
  },
];

/** The functions whose first argument is the key of a query. */
const TAKES_KEY = /^(useCursorList|.*\.(setQueryData|getQueryData))$/;

function keyIn(node: ts.Node): ts.Expression | undefined {
  if (ts.isPropertyAssignment(node) && node.name.getText() === 'queryKey') return node.initializer;
  return ts.isCallExpression(node) && TAKES_KEY.test(node.expression.getText()) ? node.arguments[0] : undefined;
}
