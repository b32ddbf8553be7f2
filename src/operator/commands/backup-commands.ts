import type { Command } from 'commander';
import { AuditTrail } from '../../audit/audit-trail.js';
import type { Config } from '../../config/config.js';
import { Sql } from '../../database/sql.js';
import { SystemClock } from '../../kernel/clock.js';
import { masterKeyPlace, type MasterKeyPlace } from '../../secrets/master-key-place.js';
import { readBackup } from '../backup/backup-reader.js';
import { demandMasterKeys, masterKeysNamed } from '../backup/master-keys-of-backup.js';
import { restoreBackup } from '../backup/restore-backup.js';
import { takeBackup } from '../backup/take-backup.js';
import type { OpenedDatabase, OpenDatabase } from '../operator-session.js';
import { log, print } from '../output.js';

/** `backup` and `restore`. */
export function backupCommands(program: Command, openDatabase: OpenDatabase): void {
  program
    .command('backup <file>')
    .description(
      'write the whole database, as it is at this moment, to a file; services run on meanwhile.\nThe ' +
        'master key is not in it, nor are uploaded files: keep copies of those apart.',
    )
    .option('--force', 'replace a file of that name')
    .option('--json', 'one JSON object a line')
    .action((file: string, { force, json }: { force?: boolean; json?: boolean }) =>
      openDatabase('beside others', (database) =>
        withAudit(database, async (audit) => {
          const { masterKeys, ...outcome } = await takeBackup({
            databaseUrl: database.urls.directUrl,
            file,
            force: force ?? false,
            audit,
            log,
          });
          print([{ ...outcome, file, master_keys: masterKeys }], json ?? false);
          warnOfMasterKeys(masterKeys, await masterKeyPlace(database.config));
        }),
      ),
    );
  program
    .command('restore <file>')
    .description(
      'put a backup into a new database: a DATA_DIR that no service has used, or an empty database at ' +
        'DATABASE_URL.\nThe master key that it needs must be there already; the backup must be of the same ' +
        'version of the schema, or of the one before the baseline; a file that is not whole changes ' +
        'nothing.',
    )
    .option(
      '--without-master-key',
      'restore although the master key that the backup needs is not here; what is sealed stays closed until it is',
    )
    .option('--json', 'one JSON object a line')
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
            print(
              [{ id: outcome.id, taken_at: outcome.takenAt, tables: outcome.tables, rows: outcome.rows }],
              json ?? false,
            );
            if (withoutMasterKey) await warnOfUnreadableSecrets(database.config, header.masterKeys ?? []);
          }),
        async (config) => {
          if (!withoutMasterKey) demandMasterKeys(file, header.masterKeys ?? [], await masterKeyPlace(config));
        },
      );
    });
}

/** A backup does not contain the master keys it needs. Prints their ids, and warns of those missing here. */
function warnOfMasterKeys(needed: readonly string[], { place, ids }: MasterKeyPlace): void {
  if (needed.length === 0) return log('Nothing in the backup is sealed: it needs no master key.');
  const missing = needed.filter((id) => !ids.includes(id));
  if (missing.length > 0)
    log(
      `Warning: the backup needs ${masterKeysNamed(missing)}, and ${place} does not hold it: find it, or ` +
        'what it seals is lost.',
    );
  log(
    `The master key is not in the backup: keep a copy of ${place} in another place. Without ` +
      `${masterKeysNamed(needed)}, ` +
      'nothing that is sealed opens again.',
  );
}

async function warnOfUnreadableSecrets(config: Config, needed: readonly string[]): Promise<void> {
  const { place } = await masterKeyPlace(config);
  const named = needed.length > 0 ? masterKeysNamed(needed) : 'its master key';
  log(`What is sealed in the backup stays closed: put ${named} into ${place}, and start the service again.`);
}

async function withAudit<T>({ urls }: OpenedDatabase, work: (audit: AuditTrail) => Promise<T>): Promise<T> {
  const sql = new Sql(urls.directUrl, 1);
  try {
    return await work(new AuditTrail(sql, new SystemClock()));
  } finally {
    await sql.close();
  }
}
