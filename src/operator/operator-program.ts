import { Command } from 'commander';
import { VERSION } from '../config/version.js';
import { accountCommands } from './commands/account-commands.js';
import { backupCommands } from './commands/backup-commands.js';
import { catalogueCommands } from './commands/catalogue-commands.js';
import { consoleCommands } from './commands/console-commands.js';
import { creditCommands } from './commands/credit-commands.js';
import { demoCommand } from './commands/demo-command.js';
import { fileCommands } from './commands/file-commands.js';
import { internCommands } from './commands/intern-commands.js';
import { keyCommands } from './commands/key-commands.js';
import { memberCommands } from './commands/member-commands.js';
import { migrateCommand } from './commands/migrate-command.js';
import { modelCommands } from './commands/model-commands.js';
import { secretCommands } from './commands/secret-commands.js';
import { usageCommands } from './commands/usage-commands.js';
import type { OpenDatabase, OpenOperator } from './operator-session.js';

/** The operator's command line. Each group of commands is one function in commands/, called here. */
export function operatorProgram(open: OpenOperator, openDatabase: OpenDatabase): Command {
  const program = new Command('operator')
    .description(
      'Administers this Gatehouse installation, whether the service is running or not.\nReads the same ' +
        'environment as the service (DATA_DIR, DATABASE_URL, …).',
    )
    .version(VERSION, '--version', 'print the version')
    .usage('<group> <command> [options]   (npm run operator -- <group> <command> …)')
    .showHelpAfterError('(add --help for how to use it)');
  accountCommands(program, open);
  backupCommands(program, openDatabase);
  catalogueCommands(program, open);
  consoleCommands(program, open);
  creditCommands(program, open);
  demoCommand(program, openDatabase);
  fileCommands(program, open);
  keyCommands(program, open);
  internCommands(program, open);
  memberCommands(program, open);
  migrateCommand(program, openDatabase);
  modelCommands(program, open);
  secretCommands(program, open);
  usageCommands(program, open);
  for (const command of leavesOf(program)) command.option('--json', 'print one JSON object per line');
  return program;
}

/** The commands that are not groups of commands. */
const leavesOf = (command: Command): readonly Command[] =>
  command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf);
