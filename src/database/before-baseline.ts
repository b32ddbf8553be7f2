/** The migrations of commit be1e367, the last version before the baseline 0038. */
const BEFORE_BASELINE: readonly string[] = [
  '0021-baseline',
  '0022-generation-detail',
  '0023-workspace-settings',
  '0024-model-alias',
  '0025-response-cache',
  '0026-intern-settings',
  '0027-key-rotation',
  '0028-console-session',
  '0029-usage-totals',
  '0030-events',
  '0031-intern-replica',
  '0032-generation-content',
  '0033-sessions-of-rotated-keys',
  '0034-ledger-items',
  '0035-replica',
];

/** The baseline in which the primary keys of money tables did not contain the account. */
const WITHOUT_ACCOUNTS = '0038-baseline';

/**
 * Whether these are the migrations of a version before the present baseline; the last migration of BEFORE_BASELINE may
 * be missing. Backups of such a version can be restored.
 */
export const isBeforeBaseline = (migrations: readonly string[]): boolean =>
  migrations[0] === WITHOUT_ACCOUNTS ||
  (migrations.length >= BEFORE_BASELINE.length - 1 && migrations.every((name, at) => name === BEFORE_BASELINE[at]));

/** Tables whose rows did not contain the number of the account. */
const GAINED_ACCOUNTS = ['key_balance', 'generation_detail', 'generation_content'] as const;
const eachGained = (change: string): string =>
  GAINED_ACCOUNTS.map((table) => `alter table ${table} alter column account_no ${change}`).join('; ');

/** Run before the rows are loaded. */
export const ADMIT_EARLIER_ROWS = `${eachGained('set default 0')}; alter table member drop constraint member_role`;

/**
 * Run after the rows are loaded. Texts of calls that have not been written as events are deleted, because a backup does
 * not contain the outbox. The ledger entries of recorded calls are deleted, because the record of a call is now its
 * ledger entry. In earlier versions, members who were not owners had no rights; they become developers. Management keys
 * had every right; they get the role owner.
 */
export const UPGRADE_RESTORED_ROWS = `${eachGained('drop default')};
  update member set role = 'developer' where role = 'member';
  alter table member add constraint member_role
    check (role in ('owner', 'admin', 'billing', 'developer', 'viewer'));
  update api_key set role = 'owner' where key_class = 'management' and deleted_at is null;
  update key_balance b set account_no = a.no from api_key k join account a on a.id = k.account_id
    where k.no = b.key_no;
  update generation_detail d set account_no = g.account_no from generation g
    where g.created_at = d.created_at and g.id = d.id;
  delete from generation_content;
  delete from ledger_entry e using generation g
    where e.kind = 'generation' and g.created_at = e.created_at and g.id = e.generation_id`;
