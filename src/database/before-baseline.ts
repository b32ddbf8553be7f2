/** The migrations of the last version before the baseline. A backup of it can be restored. */
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

/** Whether these are the migrations of a version before the baseline whose backups can be restored. */
export const isBeforeBaseline = (migrations: readonly string[]): boolean =>
  migrations.length >= BEFORE_BASELINE.length - 1 && migrations.every((name, at) => name === BEFORE_BASELINE[at]);

/** An earlier version entered each call in the ledger. The records are the entries of their calls now. */
export const UPGRADE_RESTORED_ROWS = `delete from ledger_entry e using generation g
  where e.kind = 'generation' and g.created_at = e.created_at and g.id = e.generation_id`;
