import type { LoggerService } from '@nestjs/common';
import { createRequire } from 'node:module';
import { NativeLogger, PinoLogger } from 'nestjs-pino';
import { pino, stdTimeFunctions, type Logger as Pino } from 'pino';
import type { ConfigValues } from '../../config/variables.js';
import { currentRequest } from '../../kernel/request-scope.js';
import type { LogDestination } from './log-destination.js';
import { redactedValue } from './redacted-value.js';

export type LogFormat = 'json' | 'text';

/** Nest's `verbose` is Pino's `trace`. */
const PINO_LEVELS = {
  silent: 'silent',
  error: 'error',
  warn: 'warn',
  info: 'info',
  debug: 'trace',
} as const satisfies Record<ConfigValues['LOG_LEVEL'], string>;

/** The contexts of messages that the framework logs at every start. Only developers need these messages. */
const FRAMEWORK_CONTEXTS = new Set([
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestApplication',
]);

/** The contexts in which the framework logs an error at the start of the service. */
const START_CONTEXTS = new Set(['ExceptionHandler', 'NestApplication']);

/** nestjs-pino has one logger per process. Here each service has its own, because tests run several services. */
class OwnPino extends PinoLogger {
  constructor(private readonly own: Pino) {
    super({ pinoHttp: { logger: own } });
  }

  override get logger(): Pino {
    return this.own;
  }
}

class ServiceLogger extends NativeLogger {
  override log(message: unknown, ...rest: unknown[]): void {
    if (!FRAMEWORK_CONTEXTS.has(String(rest.at(-1)))) super.log(message, ...rest);
  }

  override error(message: unknown, ...rest: unknown[]): void {
    // main.ts reports an error at start, as one line.
    if (!START_CONTEXTS.has(String(rest.at(-1)))) super.error(message, ...rest);
  }
}

export interface LoggerOptions {
  readonly level: ConfigValues['LOG_LEVEL'];
  readonly format: LogFormat;
  readonly destination: LogDestination;
  readonly colors?: boolean;
}

/**
 * Creates the service's logger. Use `error` if someone must act now, and `warn` if the service recovered by itself.
 * Every line is redacted. A plain object after the message is added to the members of the line: `log.warn('It failed',
 * { provider: 'openai' })`.
 */
export function serviceLogger({ level, format, destination, colors = false }: LoggerOptions): LoggerService {
  const prettify = format === 'text' ? textOf(colors) : undefined;
  const own = pino(
    {
      level: PINO_LEVELS[level],
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      mixin: requestMembers,
      hooks: {
        logMethod(args, method) {
          method.apply(this, args.map((arg) => redactedValue(arg)) as typeof args);
        },
      },
    },
    prettify ? { write: (line) => destination.write(prettify(line)) } : destination,
  );
  return new ServiceLogger(new OwnPino(own), { nativeLogger: { structuredParams: true, flattenParams: true } });
}

/** Log members of the current request. */
function requestMembers(): object {
  const request = currentRequest();
  if (!request) return {};
  return {
    request_id: request.requestId,
    generation_id: request.generationId,
    trace_id: request.trace?.traceId,
  };
}

const require = createRequire(import.meta.url);

function textOf(colorize: boolean): (line: string) => string {
  // Load the module only for the text format, because most services write JSON.
  const { prettyFactory } = require('pino-pretty') as typeof import('pino-pretty');
  const pretty = prettyFactory({
    colorize,
    singleLine: true,
    translateTime: 'SYS:yyyy-mm-dd HH:MM:ss.l',
    ignore: 'context',
    messageFormat: '[{context}] {msg}',
  });
  return (line) => pretty(line);
}
