import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { Config } from '../config/config.js';
import { GatewayError, invalidRequest } from '../kernel/errors.js';
import { PerRoute } from '../kernel/per-route.js';
import { parseJsonBody } from './json-body.js';
import { BODY_METADATA, DEFAULT_BODY, type BodyRule } from './reads-body.decorator.js';
import { carriesBody, noteAdmitted } from './refuse-rest.js';

/**
 * Reads the body after the other guards and before the pipes, under the route's own cap: no key, no reading. It is the last of the
 * guards and no interceptor, because one interceptor costs a request a fifth of what all of Nest does (decision 0018).
 */
@Injectable()
export class BodyReaderGuard implements CanActivate {
  protected readonly afterGroupGuards: boolean = false;
  readonly #rules: PerRoute<BodyRule>;

  constructor(
    reflector: Reflector,
    private readonly config: Config,
  ) {
    this.#rules = new PerRoute(
      (places) => reflector.getAllAndOverride<BodyRule | undefined>(BODY_METADATA, places) ?? DEFAULT_BODY,
    );
  }

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request & { body: unknown }>();
    if (request.method === 'GET' || request.method === 'HEAD') return true;
    const rule = this.#rules.of(context);
    if ((rule.afterGroupGuards ?? false) !== this.afterGroupGuards) return true;
    noteAdmitted(request);
    if (rule.as === 'json') return this.#readJson(request, http.getResponse<Response>(), rule);
    refuseByHead(request, rule, capOf(rule, this.config));
    return true;
  }

  async #readJson(request: Request & { body: unknown }, response: Response, rule: BodyRule): Promise<boolean> {
    const cap = capOf(rule, this.config);
    // A chunked body may turn out to be empty, and an empty one has no type: that one is judged by its first byte.
    const isDeclared = Number(request.headers['content-length'] ?? 0) > 0;
    if (isDeclared) refuseWrongType(request, rule);
    const bytes = await readBody(request, response, cap, {
      onFirstByte: isDeclared ? undefined : () => refuseWrongType(request, rule),
      withinMs: rule.withinMs,
    });
    rule.judgesHeaders?.(request.headers);
    request.body = bytes.length > 0 ? parseJsonBody(bytes) : emptyBody(request, rule);
    return true;
  }
}

/** Reads the body where a group's own guards decide before: the last in the group's `@UseGuards`, for Nest runs global guards before those. */
@Injectable()
export class GroupBodyReaderGuard extends BodyReaderGuard {
  protected override readonly afterGroupGuards = true;
}

function emptyBody(request: Request, rule: BodyRule): object {
  if (rule.mayBeEmpty || request.method === 'DELETE') return {};
  throw invalidRequest('The request body is empty: send a JSON object');
}

interface ReadingRules {
  /** May throw: then no more is read. */
  readonly onFirstByte?: () => void;
  readonly withinMs?: number;
}

/** Reads the whole body into memory, at most `cap` bytes; throws at once where its declared length is more. */
function readBody(
  request: Request,
  response: Response,
  cap: number,
  { onFirstByte, withinMs }: ReadingRules,
): Promise<Buffer> {
  refuseDeclaredLength(request, cap);
  if (!carriesBody(request)) return Promise.resolve(Buffer.alloc(0));
  if (/100-continue/i.test(request.headers.expect ?? '')) response.writeContinue();
  const chunks: Buffer[] = [];
  let size = 0;
  return new Promise<Buffer>((resolve, reject) => {
    const late = withinMs === undefined ? undefined : setTimeout(() => stop(tooLate(withinMs)), withinMs);
    const stop = (error: Error): void => {
      clearTimeout(late);
      request.off('data', onData);
      request.pause();
      reject(error);
    };
    const onData = (chunk: Buffer): void => {
      try {
        if (size === 0) onFirstByte?.();
      } catch (error) {
        stop(error as Error);
        return;
      }
      size += chunk.length;
      if (size > cap) stop(tooLarge(cap));
      else chunks.push(chunk);
    };
    const onGone = (): void => {
      // Every request is closed at some time: only before its end does that say something.
      if (!request.readableEnded) stop(new GatewayError('caller_gone', 'The caller left before its body was read'));
    };
    const onEnd = (): void => {
      clearTimeout(late);
      resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));
    };
    request.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone);
  });
}

const capOf = (rule: BodyRule, config: Config): number =>
  typeof rule.cap === 'function' ? rule.cap(config) : rule.cap;
const tooLarge = (cap: number): GatewayError =>
  new GatewayError('payload_too_large', `The request body is larger than ${cap} bytes`);
const tooLate = (withinMs: number): GatewayError =>
  new GatewayError('deadline_exceeded', `Operation timed out after ${withinMs / 1000}s. Please try again later.`);

function refuseDeclaredLength(request: Request, cap: number): void {
  if (Number(request.headers['content-length'] ?? 0) > cap) throw tooLarge(cap);
}

/** What the headers alone tell of a body that the handler will read. */
function refuseByHead(request: Request, rule: BodyRule, cap: number): void {
  refuseDeclaredLength(request, cap);
  refuseEncoding(request, rule);
}

function refuseEncoding(request: Request, rule: BodyRule): void {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity')
    throw new GatewayError(
      rule.wrongType ?? 'invalid_request',
      `Content-Encoding ${encoding} is not supported: send the body as it is`,
    );
}

function refuseWrongType(request: Request, rule: BodyRule): void {
  refuseEncoding(request, rule);
  const given = request.headers['content-type'] ?? '';
  if (given === 'application/json') return;
  const [type = '', ...parameters] = given.split(';').map((part) => part.trim().toLowerCase());
  const charset = parameters
    .find((parameter) => parameter.startsWith('charset='))
    ?.slice('charset='.length)
    .replaceAll('"', '');
  if (type === 'application/json' && (charset === undefined || charset === 'utf-8' || charset === 'utf8')) return;
  const message =
    given === ''
      ? 'The Content-Type header is missing: send application/json'
      : `Content-Type ${given.slice(0, 100)} is not supported: send application/json`;
  throw new GatewayError(rule.wrongType ?? 'invalid_request', message);
}
