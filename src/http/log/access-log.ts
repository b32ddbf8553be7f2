import type { ServerResponse } from 'node:http';
import type { RequestScope } from '../../kernel/request-scope.js';
import type { LogDestination } from './log-destination.js';
import type { LogFormat } from './service-logger.js';
import { STATUS } from '../../kernel/errors/error-status.js';
import { HEALTH_ROUTES, patternOf, type RoutedRequest } from '../../telemetry/routed-request.js';

interface AccessLogOptions {
  readonly format: LogFormat;
  readonly destination: LogDestination;
  /** Whether to log health checks and scrapes too, which arrive every few seconds. */
  readonly withHealthChecks: boolean;
}

/**
 * Writes one line per request after the response has ended. The line is not redacted, because no part of it can contain
 * a secret. It has the method, the route's pattern, numbers, the id and the key's label, but never the path, which may
 * contain anything.
 */
export class AccessLog {
  readonly #lineOf: (entry: Entry) => string;
  #second = 0;
  /** The current time without its milliseconds. */
  #time = '';

  constructor(private readonly options: AccessLogOptions) {
    this.#lineOf = options.format === 'json' ? jsonLine : textLine;
  }

  /** `path`: the path of the route, if it is known before routing. */
  watch(request: RoutedRequest, response: ServerResponse, scope: RequestScope, path?: string): void {
    const startedAt = performance.now();
    response.on('close', () => {
      const route = path ?? request.route?.path;
      if (HEALTH_ROUTES.has(route) && !this.options.withHealthChecks) return;
      const line = this.#lineOf({
        time: this.#now(),
        scope,
        method: request.method!,
        route: patternOf(route),
        // If the caller disconnected before a status was sent, log the same status as in usage records.
        status: response.headersSent ? response.statusCode : STATUS.caller_gone,
        ms: Math.round((performance.now() - startedAt) * 10) / 10,
        isWhole: response.writableFinished,
      });
      this.options.destination.write(line);
    });
  }

  /** The time in the format of toISOString(), which is called only once a second, because it is slow. */
  #now(): string {
    const now = Date.now();
    const ms = now % 1_000;
    if (now - ms !== this.#second) {
      this.#second = now - ms;
      this.#time = new Date(now).toISOString().slice(0, -'000Z'.length);
    }
    return `${this.#time}${String(1_000 + ms).slice(1)}Z`;
  }
}

interface Entry {
  readonly time: string;
  readonly scope: RequestScope;
  readonly method: string;
  readonly route: string | undefined;
  readonly status: number;
  readonly ms: number;
  /** False if the caller disconnected or the response was interrupted. */
  readonly isWhole: boolean;
}

// The line is concatenated, because JSON.stringify takes several times as long. Only the label can contain characters
// that must be escaped.
function jsonLine({ time, scope, method, route, status, ms, isWhole }: Entry): string {
  const key = scope.keyLabel === undefined ? '' : `,"key":${JSON.stringify(scope.keyLabel)}`;
  const generation = scope.generationId === undefined ? '' : `,"generation_id":"${scope.generationId}"`;
  const trace = scope.trace === undefined ? '' : `,"trace_id":"${scope.trace.traceId}"`;
  const begin = `{"level":"info","time":"${time}","context":"access"`;
  const prefix = `${begin},"request_id":"${scope.requestId}","method":"${method}"`;
  const routeText = route === undefined ? 'null' : `"${route}"`;
  const cut = isWhole ? '' : ',"cut":true';
  return `${prefix},"route":${routeText},"status":${status},"ms":${ms}${key}${generation}${trace}${cut}}\n`;
}

function textLine({ time, scope, method, route, status, ms, isWhole }: Entry): string {
  const key = scope.keyLabel === undefined ? '' : ` key ${scope.keyLabel}`;
  const generation = scope.generationId === undefined ? '' : ` generation ${scope.generationId}`;
  return (
    `[${time}] INFO: [access] ${method} ${route ?? '(no route)'} ${status} ${ms} ` +
    `ms${isWhole ? '' : ' cut'}${key}${generation} request ${scope.requestId}\n`
  );
}
