import type { Command } from 'commander';
import { AuditTrail } from '../../audit/audit-trail.js';
import type { Config } from '../../config/config.js';
import { Sql } from '../../database/sql.js';
import { SystemClock } from '../../kernel/clock.js';
import { masterKeyPlace, type MasterKeyPlace } from '../../secrets/master-key-place.js';
import { readBackup } from '../backup/backup-reader.js';
import { checkMasterKeys, masterKeysNamed } from '../backup/master-keys-of-backup.js';
import { restoreBackup } from '../backup/restore-backup.js';
import { takeBackup } from '../backup/take-backup.js';
import type { OpenedDatabase, OpenDatabase } from '../operator-session.js';
import { log, print } from '../output.js';

/** `backup` and `restore`. */
export function backupCommands(program: Command, openDatabase: OpenDatabase): void {
  program
    .command('backup <file>')
    .description(
      'write the whole database, as it is at this moment, to a file; services continue to run.\nThe backup ' +
        'contains neither the master key nor uploaded files: keep separate copies of both.',
    )
    .option('--force', 'replace a file of that name')
    .action((file: string, { force, json }: { force?: boolean; json?: boolean }) =>
      openDatabase('beside others', (database) =>
        withAudit(database, async (audit, position) => {
          const { masterKeys, ...outcome } = await takeBackup({
            databaseUrl: database.urls.hasReadUrl ? database.urls.readUrl : database.urls.directUrl,
            file,
            force: force ?? false,
            audit,
            position,
            log,
          });
          print([{ ...outcome, file, master_keys: masterKeys }], json);
          warnOfMasterKeys(masterKeys, await masterKeyPlace(database.config));
        }),
      ),
    );
  program
    .command('restore <file>')
    .description(
      'restore a backup into a new database: a DATA_DIR that no service has used, or an empty database at ' +
        'DATABASE_URL.\nThe master key of the backup must be in place before. The backup must have the ' +
        'schema of this version, or of the last version before the baseline. An incomplete file changes ' +
        'nothing.',
    )
    .option(
      '--without-master-key',
      'restore even if the master key of the backup is missing; sealed data cannot be opened without it',
    )
    .action(async (file: string, { withoutMasterKey, json }: { withoutMasterKey?: boolean; json?: boolean }) => {
      // Read the whole file first, so that an incomplete one does not create a database.
      log(`Reading ${file} through.`);
      const { header } = await readBackup(file);
      await openDatabase(
        'alone',
        (database) =>
          withAudit(database, async (audit) => {
            const masterKeys = withoutMasterKey ? null : await masterKeyPlace(database.config);
            const outcome = await restoreBackup({
              databaseUrl: database.urls.directUrl,
              file,
              audit,
              masterKeys,
              log,
            });
            print([{ id: outcome.id, taken_at: outcome.takenAt, tables: outcome.tables, rows: outcome.rows }], json);
            if (withoutMasterKey) await warnOfUnreadableSecrets(database.config, header.masterKeys ?? []);
          }),
        async (config) => {
          if (!withoutMasterKey) checkMasterKeys(file, header.masterKeys ?? [], await masterKeyPlace(config));
        },
      );
    });
}

/**
 * Prints the ids of the master keys that the backup needs but does not contain. Warns of keys that this installation
 * lacks.
 */
function warnOfMasterKeys(needed: readonly string[], { place, ids }: MasterKeyPlace): void {
  if (needed.length === 0) return log('The backup contains no sealed data, so it needs no master key.');
  const missing = needed.filter((id) => !ids.includes(id));
  if (missing.length > 0)
    log(
      `Warning: the backup needs ${masterKeysNamed(missing)}, and ${place} does not hold it: find it, or ` +
        'the sealed data is lost.',
    );
  log(
    `The master key is not in the backup: keep a copy of ${place} in another place. Without ` +
      `${masterKeysNamed(needed)}, sealed data cannot be opened.`,
  );
}

async function warnOfUnreadableSecrets(config: Config, needed: readonly string[]): Promise<void> {
  const { place } = await masterKeyPlace(config);
  const named = needed.length > 0 ? masterKeysNamed(needed) : 'its master key';
  log(`Sealed data of the backup cannot be opened: put ${named} into ${place}, and start the service again.`);
}

/** `position`: returns the position (LSN) up to which the primary has written its log. */
async function withAudit<T>(
  { urls }: OpenedDatabase,
  work: (audit: AuditTrail, position: () => Promise<string>) => Promise<T>,
): Promise<T> {
  const sql = new Sql(urls.directUrl, 1);
  const position = async (): Promise<string> =>
    (await sql.query<{ position: string }>('select pg_current_wal_flush_lsn()::text as position'))[0]!.position;
  try {
    return await work(new AuditTrail(sql, new SystemClock()), position);
  } finally {
    await sql.close();
  }
}
