import type { Command } from 'commander';
import { AuditTrail } from '../../audit/audit-trail.js';
import { Sql } from '../../database/sql.js';
import { SystemClock } from '../../kernel/clock.js';
import { masterKeyPlace } from '../../secrets/master-key-place.js';
import { readBackup } from '../backup/backup-reader.js';
import { restoreBackup } from '../backup/restore-backup.js';
import { takeBackup } from '../backup/take-backup.js';
import type { DatabaseAtHand, OpenDatabase } from '../operator-session.js';
import { print } from '../output.js';

const tell = (line: string): void => console.error(line);

/** `backup` and `restore`. */
export function backupCommands(program: Command, openDatabase: OpenDatabase): void {
  program
    .command('backup <file>')
    .description(
      'write the whole database, as it is at this moment, to a file; services run on meanwhile.\nThe master key is not in it, nor are uploaded files: keep copies of those apart.',
    )
    .option('--force', 'replace a file of that name')
    .option('--json', 'one JSON object a line')
    .action((file: string, { force, json }: { force?: boolean; json?: boolean }) =>
      openDatabase('beside others', (database) =>
        withAudit(database, async (audit) => {
          const outcome = await takeBackup({
            databaseUrl: database.urls.directUrl,
            file,
            force: force ?? false,
            audit,
            tell,
          });
          print([{ ...outcome, file }], json ?? false);
          tell(
            `The master key is not in the backup: keep a copy of ${masterKeyPlace(database.config)} in another place. Without it, nothing that is sealed opens again.`,
          );
        }),
      ),
    );
  program
    .command('restore <file>')
    .description(
      'put a backup into a new database: a DATA_DIR that no service has used, or an empty database at DATABASE_URL.\nThe backup must be of the same version of the schema; a file that is not whole changes nothing.',
    )
    .option('--json', 'one JSON object a line')
    .action(async (file: string, { json }: { json?: boolean }) => {
      // Read to its end first: a file that is not whole does not even make a database.
      tell(`Reading ${file} through.`);
      await readBackup(file);
      await openDatabase('alone', (database) =>
        withAudit(database, async (audit) => {
          const outcome = await restoreBackup({ databaseUrl: database.urls.directUrl, file, audit, tell });
          print(
            [{ id: outcome.id, taken_at: outcome.takenAt, tables: outcome.tables, rows: outcome.rows }],
            json ?? false,
          );
          tell(
            `The master key was not in the backup: put your copy into ${masterKeyPlace(database.config)} before the service starts. Without it, nothing that is sealed opens again.`,
          );
        }),
      );
    });
}

async function withAudit<T>({ urls }: DatabaseAtHand, work: (audit: AuditTrail) => Promise<T>): Promise<T> {
  const sql = new Sql(urls.directUrl, 1);
  try {
    return await work(new AuditTrail(sql, new SystemClock()));
  } finally {
    await sql.close();
  }
}
