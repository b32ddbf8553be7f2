import type { Command } from 'commander';
import { LEDGER_SQL } from '../../billing/ledger-sql.js';
import { migrate, migrationsIn, schemaVersion, type MigrationRun } from '../../database/migrate.js';
import type { OpenDatabase } from '../operator-session.js';
import { log, print } from '../output.js';

export function migrateCommand(program: Command, openDatabase: OpenDatabase): void {
  program
    .command('migrate')
    .description(
      'bring the schema of the database up to date, as the start of a service does unless MIGRATE is off.\nWaits ' +
        'while another replica migrates. All migrations are applied, or none. Running it again changes nothing.',
    )
    .action((options: { json?: boolean }) =>
      openDatabase('unmigrated', async ({ urls }) => {
        const run = await migrate(urls.directUrl, LEDGER_SQL, log, urls.directName, (name) => log(`Applying ${name}`));
        if (options.json) print([{ ...run, newest: schemaVersion() }], true);
        else console.log(sentenceOf(run));
      }),
    );
}

function sentenceOf({ migrations, functions }: MigrationRun): string {
  if (migrations.length > 0) return `Applied ${migrationsIn(migrations)}.`;
  if (functions.length > 0)
    return `Replaced the functions of ${functions.join(', ')}; there was no migration to apply.`;
  return `Nothing to do: the database has the newest migration, ${schemaVersion()}.`;
}
