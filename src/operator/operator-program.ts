import { Command } from 'commander';
import { accountCommands } from './commands/account-commands.js';
import { backupCommands } from './commands/backup-commands.js';
import { catalogueCommands } from './commands/catalogue-commands.js';
import { fileCommands } from './commands/file-commands.js';
import { internCommands } from './commands/intern-commands.js';
import { keyCommands } from './commands/key-commands.js';
import { secretCommands } from './commands/secret-commands.js';
import { usageCommands } from './commands/usage-commands.js';
import type { OpenDatabase, OpenOperator } from './operator-session.js';

/** The operator's command line. A group of commands is one function in commands/, listed here. */
export function operatorProgram(open: OpenOperator, openDatabase: OpenDatabase): Command {
  const program = new Command('operator')
    .description(
      'Administers this Gatehouse installation, beside a running service or without one.\nReads the same environment as the service (DATA_DIR, DATABASE_URL, …).',
    )
    .usage('<group> <command> [options]   (npm run operator -- <group> <command> …)')
    .showHelpAfterError('(add --help for how to use it)');
  accountCommands(program, open);
  backupCommands(program, openDatabase);
  catalogueCommands(program, open);
  fileCommands(program, open);
  keyCommands(program, open);
  internCommands(program, open);
  secretCommands(program, open);
  usageCommands(program, open);
  return program;
}
