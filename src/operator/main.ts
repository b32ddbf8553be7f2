import { Config, ConfigError } from '../config/config.js';
import { EmbeddedPostgresError } from '../database/embedded-postgres.js';
import { GatewayError } from '../kernel/errors.js';
import { operatorProgram } from './operator-program.js';
import { databaseOpener, operatorOpener } from './operator-session.js';

try {
  const openDatabase = databaseOpener(() => Config.read());
  await operatorProgram(operatorOpener(openDatabase), openDatabase).parseAsync(process.argv);
} catch (error) {
  const expected =
    error instanceof GatewayError || error instanceof ConfigError || error instanceof EmbeddedPostgresError;
  console.error(expected ? `error: ${error.message}` : error);
  process.exitCode = 1;
}
