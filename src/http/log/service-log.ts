import type { LoggerService } from '@nestjs/common';
import { isatty } from 'node:tty';
import type { ConfigValues } from '../../config/variables.js';
import { redact } from '../../kernel/text/redact.js';
import { AccessLog } from './access-log.js';
import { bufferedOutput, directOutput, type LogDestination } from './log-destination.js';
import { serviceLogger, type LogFormat } from './service-logger.js';

export type { LogDestination };

type LogValues = Pick<ConfigValues, 'LOG_LEVEL' | 'LOG_FORMAT' | 'ACCESS_LOG'>;

/** Everything that the service writes to standard output. */
export class ServiceLog {
  readonly logger: LoggerService;
  /** Null if the access log is off. */
  readonly access: AccessLog | null;
  readonly #format: LogFormat;
  readonly #destination: LogDestination;

  constructor({ LOG_LEVEL: level, LOG_FORMAT, ACCESS_LOG }: LogValues, destination?: LogDestination) {
    const format = formatOf(LOG_FORMAT);
    this.#format = format;
    this.#destination = destination ?? standardOutput(format);
    this.logger = serviceLogger({ level, format, destination: this.#destination, colors: !destination && isatty(1) });
    const wantsAccess = ACCESS_LOG === 'on' && (level === 'info' || level === 'debug');
    this.access = wantsAccess
      ? new AccessLog({ format, destination: this.#destination, withHealthChecks: level === 'debug' })
      : null;
  }

  /** Whether lines are JSON. JSON lines must not contain a key that is shown once. */
  get isJson(): boolean {
    return this.#format === 'json';
  }

  /**
   * Reports a lifecycle event of the service, at every LOG_LEVEL. `facts` become members of a JSON line. The text
   * format omits `facts`, so `text` must contain them.
   */
  report(text: string, facts: Readonly<Record<string, unknown>> = {}): void {
    this.#destination.write(this.isJson ? jsonLine('info', text, facts) : `${text}\n`);
  }

  /** Reports an error that ends the service or prevents its start. The text format writes to standard error. */
  fail(text: string): void {
    if (this.isJson) this.#destination.write(jsonLine('fatal', text));
    else process.stderr.write(`${text}\n`);
  }

  /** Returns when everything is written. */
  flush(): void {
    this.#destination.flushSync();
  }
}

const jsonLine = (level: string, text: string, facts: Readonly<Record<string, unknown>> = {}): string =>
  `${JSON.stringify({
    level,
    time: new Date().toISOString(),
    context: 'service',
    msg: redact(text.trim()),
    ...facts,
  })}\n`;

/**
 * The logger of the operator's commands. It writes only errors, as text, to standard error, because standard output is
 * for the result of the command.
 */
export const commandLogger = (): LoggerService =>
  serviceLogger({ level: 'error', format: 'text', destination: directOutput(process.stderr) });

/** LOG_FORMAT if set; otherwise text on a terminal and JSON elsewhere. */
const formatOf = (given: LogFormat | undefined): LogFormat => given ?? (isatty(1) ? 'text' : 'json');

const outputs = new Map<LogFormat, LogDestination>();

/** One destination per process and format, because each has its own buffer. */
function standardOutput(format: LogFormat): LogDestination {
  let output = outputs.get(format);
  if (!output) outputs.set(format, (output = format === 'json' ? bufferedOutput(1) : directOutput(process.stdout)));
  return output;
}
