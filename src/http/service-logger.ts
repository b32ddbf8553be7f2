import { isatty } from 'node:tty';
import { ConsoleLogger, type LoggerService, type LogLevel } from '@nestjs/common';
import type { ConfigValues } from '../config/variables.js';
import { redact } from '../kernel/redact.js';

const LEVELS: Record<ConfigValues['LOG_LEVEL'], LogLevel[]> = {
  silent: [],
  error: ['fatal', 'error'],
  warn: ['fatal', 'error', 'warn'],
  info: ['fatal', 'error', 'warn', 'log'],
  debug: ['fatal', 'error', 'warn', 'log', 'debug', 'verbose'],
};

/** The framework tells these at every start; they matter only to whoever works on the house. */
const FRAMEWORK_CONTEXTS = new Set([
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestApplication',
]);

/** Where the framework tells a fault at start. */
const START_CONTEXTS = new Set(['ExceptionHandler', 'NestApplication']);

/** Every line passes the redactor, whoever wrote it. */
class ServiceLogger extends ConsoleLogger {
  override log(message: unknown, ...rest: unknown[]): void {
    if (!FRAMEWORK_CONTEXTS.has(String(rest.at(-1)))) super.log(message, ...(rest as [string]));
  }

  override error(message: unknown, ...rest: unknown[]): void {
    // A fault at start is told by the composition, as one line.
    if (!START_CONTEXTS.has(String(rest.at(-1)))) super.error(message, ...(rest as [string]));
  }

  protected override formatMessage(...parts: Parameters<ConsoleLogger['formatMessage']>): string {
    return redact(super.formatMessage(...parts));
  }

  protected override printStackTrace(stack: string): void {
    super.printStackTrace(stack && redact(stack));
  }
}

/** The service's log: error = someone must act now, warn = healed itself. */
export function serviceLogger(level: ConfigValues['LOG_LEVEL']): LoggerService {
  return new ServiceLogger({ logLevels: LEVELS[level], colors: isatty(1) });
}
