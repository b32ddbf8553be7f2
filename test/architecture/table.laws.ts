import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { gather, isShipped, type Law, type Source } from './law.js';

/** Tables of the ledger, and the functions that move money in them. */
const LEDGER = [
  'account_balance',
  'key_balance',
  'reservation',
  'ledger_entry',
  'ledger_finish',
  'ledger_lock',
  'ledger_reserve',
  'ledger_reserve_batch',
  'ledger_reserve_items',
  'ledger_release_overdue',
];
const IN_SQL = new RegExp(
  `\\b(from|join|into|update|table|select|perform|call)\\s+(only\\s+)?"?(${LEDGER.join('|')})\\b`,
  'i',
);

/** Files that create tables. */
const makesTables = (path: string): boolean =>
  /^src\/database\/(baseline\/|migrations\/|before-baseline\.ts$)/.test(path);

const ENTITY_SOURCES = readdirSync('src/database/entities').map((name) =>
  readFileSync(`src/database/entities/${name}`, 'utf8'),
);
const ENTITY_TABLES = ENTITY_SOURCES.map((source) => /tableName: '(\w+)'/.exec(source)![1]!);
const ENTITY_CLASSES = ENTITY_SOURCES.map((source) => /export class (\w+)/.exec(source)![1]!);

/** The exceptions that write tables of entities by SQL, as room → tables. Do not add any. */
const WRITTEN_AS_SQL: Readonly<Record<string, readonly string[]>> = {
  // An intern's key is created in the transaction that writes the intern's row.
  auth: ['api_key'],
  // A membership and everything that ends with it change in one transaction, with locks in a fixed order (decision
  // 0073).
  members: ['byok_credential', 'member'],
  // One statement changes many members or workspaces.
  tenancy: ['member', 'workspace'],
};

/**
 * The exceptions that read tables of entities by SQL, as room → tables: frequent look-ups, locks, joins of usage
 * records, counts.
 */
const READ_AS_SQL: Readonly<Record<string, readonly string[]>> = {
  // The statement that finds a code also reads the key of the policy and the role of the member. A creation locks the
  // account while it counts the rows of the account.
  applications: ['account', 'api_key', 'member'],
  auth: ['account', 'api_key', 'workspace'],
  // The ledger identifies an account by its number. The list of API keys contains names of workspaces and users.
  billing: ['account', 'api_key', 'app_user', 'workspace'],
  // An alert contains the name of the workspace. A creation locks the account while it counts the webhooks.
  events: ['account', 'workspace'],
  files: ['account', 'file'],
  interns: ['member', 'workspace'],
  members: ['account', 'api_key', 'app_user', 'member', 'workspace'],
  operator: ['api_key', 'workspace'],
  secrets: ['byok_credential', 'workspace'],
  // The statement that consumes the code also reads the role of the member. A session needs the workspace of its key.
  sessions: ['api_key', 'member'],
  tenancy: ['member', 'workspace'],
  usage: ['account', 'api_key', 'workspace'],
};

const roomOf = (path: string): string => path.split('/')[1]!;
const IS_SQL = /^\s*(with|select|insert|update|delete|lock|truncate|from|((left|cross|inner) )?join)\s/;

/** The tables whose names follow one of these words in the SQL of a file. */
function tablesAfter(
  words: string,
  { path, tree }: Source,
  listed: Readonly<Record<string, readonly string[]>>,
): string[] {
  const named = new RegExp(`\\b(?:${words})\\s+(?:only\\s+)?"?(${ENTITY_TABLES.join('|')})\\b(?!\\()`, 'g');
  return gather(tree, (node) => {
    if (!ts.isStringLiteralLike(node) && !ts.isTemplateExpression(node)) return undefined;
    const text = node.getText(tree).slice(1, -1);
    if (!IS_SQL.test(text)) return undefined;
    return [...text.matchAll(named)].map(([, table]) => table!).find((table) => !listed[roomOf(path)]?.includes(table));
  });
}

/** Rules for tables: which room may use them, and how (docs/architecture.md, sections 2 and 5). */
export const tableLaws: readonly Law[] = [
  {
    rule: 'only billing accesses the ledger: no other room names its tables in SQL',
    applies: (path) => isShipped(path) && !path.startsWith('src/billing/') && !makesTables(path),
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
  {
    rule: "an entity's table is written through MikroORM, and as SQL only where it is listed",
    applies: (path) => isShipped(path) && !makesTables(path),
    find: (source) => tablesAfter('insert into|update|delete from|lock table|truncate|table', source, WRITTEN_AS_SQL),
    refuses: [
      ['src/interns/x.ts', "const sql = 'update workspace set name = $1';"],
      ['src/usage/x.ts', 'const sql = `delete from end_user where account_id = ${id}`;'],
    ],
    accepts: [
      ['src/auth/x.ts', "const sql = 'update api_key set deleted_at = $1';"],
      ['src/interns/x.ts', "const sql = 'update intern set name = $1';"],
      ['src/interns/x.ts', "const message = 'Cannot update workspace settings';"],
    ],
  },
  {
    rule: "an entity's table is read through MikroORM, and as SQL only where it is listed",
    applies: (path) => isShipped(path) && !makesTables(path),
    find: (source) => tablesAfter('from|join', source, READ_AS_SQL),
    refuses: [
      ['src/catalogue/x.ts', "const sql = 'select hash from api_key where no = $1';"],
      ['src/usage/x.ts', "const sql = 'select g.id from generation g left join member m on true';"],
    ],
    accepts: [
      ['src/usage/x.ts', "const sql = 'select g.id from generation g left join api_key k on k.no = g.key_no';"],
      ['src/catalogue/x.ts', "const message = 'It was read from file';"],
    ],
  },
  {
    rule: 'nothing is cast to an entity: the type of em.create names what is missing',
    applies: isShipped,
    find: ({ tree }) =>
      gather(tree, (node) =>
        ts.isAsExpression(node) && ENTITY_CLASSES.includes(node.type.getText(tree))
          ? node.type.getText(tree)
          : undefined,
      ),
    refuses: [
      ['src/tenancy/x.ts', 'const account = em.create(Account, { id } as Account);'],
      ['src/auth/x.ts', 'const key = em.create(ApiKey, { hash } as unknown as ApiKey);'],
    ],
    accepts: [['src/auth/x.ts', 'const key = em.create(ApiKey, { hash });\nconst kind = value as KeyClass;']],
  },
];
