import ts from 'typescript';
import { gather, isShipped, type Law } from './law.js';

/** Tables of the ledger, and the functions that move money in them. */
const LEDGER = [
  'account_balance',
  'key_balance',
  'reservation',
  'ledger_entry',
  'ledger_finish',
  'ledger_lock',
  'ledger_reserve',
  'ledger_sweep',
];
const IN_SQL = new RegExp(
  `\\b(from|join|into|update|table|select|perform|call)\\s+(only\\s+)?"?(${LEDGER.join('|')})\\b`,
  'i',
);

const mayTouch = (path: string): boolean =>
  path.startsWith('src/billing/') || path.startsWith('src/database/migrations/');

/** What is sealed to one room (docs/architecture.md, section 2). */
export const tableLaws: readonly Law[] = [
  {
    rule: 'the ledger is sealed to billing: no other room names its tables in SQL',
    applies: (path) => isShipped(path) && !mayTouch(path),
    find: ({ tree }) =>
      gather(tree, (node) => {
        const isText =
          ts.isStringLiteralLike(node) ||
          ts.isTemplateHead(node) ||
          ts.isTemplateMiddle(node) ||
          ts.isTemplateTail(node);
        return isText ? IN_SQL.exec(node.text)?.[0] : undefined;
      }),
    refuses: [
      ['src/usage/x.ts', "const sql = 'select usage from key_balance where key_no = $1';"],
      ['src/operations/credits/x.ts', 'const sql = `UPDATE account_balance set granted = ${amount}`;'],
      ['src/operator/x.ts', "const sql = 'select ledger_finish($1)';"],
    ],
    accepts: [
      ['src/billing/ledger/x.ts', "const sql = 'select usage from key_balance where key_no = $1';"],
      ['src/http/x.ts', "const message = 'no reservation is left';"],
    ],
  },
];
