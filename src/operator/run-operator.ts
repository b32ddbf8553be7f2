import { inspect } from 'node:util';
import { Config, ConfigError } from '../config/config.js';
import { isDatabaseUnavailable } from '../database/database-faults.js';
import { DatabaseUnreachableError } from '../database/database-probe.js';
import { DatabaseStartError } from '../database/database-start.error.js';
import { EmbeddedPostgresError } from '../database/embedded-postgres.js';
import { GatewayError } from '../kernel/errors/errors.js';
import { redact } from '../kernel/text/redact.js';
import { operatorProgram } from './operator-program.js';
import { databaseOpener, operatorOpener } from './operator-session.js';

/** Runs the command line of the process. Sets the exit code if the command fails. */
export async function runOperator(): Promise<void> {
  try {
    const openDatabase = databaseOpener(() => Config.read());
    await operatorProgram(operatorOpener(openDatabase), openDatabase).parseAsync(process.argv);
  } catch (error) {
    const expected = [
      GatewayError,
      ConfigError,
      EmbeddedPostgresError,
      DatabaseStartError,
      DatabaseUnreachableError,
    ].some((kind) => error instanceof kind);
    if (expected) console.error(`error: ${(error as Error).message}`);
    else if (isDatabaseUnavailable(error))
      console.error(`error: the connection to the database was lost (${(error as Error).message})`);
    else console.error(redact(inspect(error)));
    process.exitCode = 1;
  }
}
