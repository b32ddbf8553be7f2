import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { Config } from '../../config/config.js';
import { GatewayError, invalidRequest } from '../../kernel/errors/errors.js';
import { PerRoute } from '../../kernel/per-route.js';
import { currentRequest } from '../../kernel/request-scope.js';
import { onSlowBody } from '../connections/slow-body.js';
import { factsOf } from './json/body-facts.js';
import { hasByteOrderMark, parseJsonBody } from './json-body.js';
import { isForm, readHeldForm, type FormFile } from './held-form.js';
import { isUrlencoded, parseUrlencodedBody, URLENCODED } from './urlencoded-body.js';
import { BODY_METADATA, DEFAULT_BODY, type BodyRule } from './reads-body.decorator.js';
import { hasBody, markAdmitted } from '../edge/refuse-rest.js';

type BodyRequest = Request & { body: unknown };

/**
 * Reads the body after the other guards and before the pipes, so that no body is read before the key is checked. This
 * is a guard and not an interceptor, because a single interceptor adds a fifth to Nest's cost per request (decision
 * 0018).
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
    const request = http.getRequest<BodyRequest>();
    if (request.method === 'GET' || request.method === 'HEAD') return true;
    const rule = this.#rules.of(context);
    if ((rule.afterGroupGuards ?? false) !== this.afterGroupGuards) return true;
    markAdmitted(request);
    const cap = typeof rule.cap === 'function' ? rule.cap(this.config) : rule.cap;
    const response = http.getResponse<Response>();
    if (rule.as === 'json') return readJson(request, response, cap, rule);
    if (rule.as === 'urlencoded') return readUrlencoded(request, response, cap, rule);
    // The handler reads the body.
    refuseDeclaredLength(request, cap);
    refuseEncoding(request, rule);
    return true;
  }
}

/**
 * Reads the body on routes with `afterGroupGuards`. Nest runs the global BodyReaderGuard before the group's own guards,
 * which would be too early. List this guard last in the group's `@UseGuards`.
 */
@Injectable()
export class GroupBodyReaderGuard extends BodyReaderGuard {
  protected override readonly afterGroupGuards = true;
}

/**
 * Properties of the request, not entries of a WeakMap, because V8's scavenger keeps the values of a WeakMap even if
 * their keys are not alive.
 */
const KEPT_BYTES = Symbol('body bytes');
const HELD_FILES = Symbol('form files');
interface Holder {
  [KEPT_BYTES]?: Buffer;
  [HELD_FILES]?: readonly FormFile[];
}

/**
 * The bytes of the body, on routes that keep them. A byte order mark is removed, because some JSON parsers refuse it.
 */
export function bodyBytes(request: object): Buffer {
  const bytes = (request as Holder)[KEPT_BYTES] ?? Buffer.alloc(0);
  return hasByteOrderMark(bytes) ? bytes.subarray(3) : bytes;
}

/** The files of a form, on routes that accept JSON and forms; undefined if the body is JSON. */
export const formFiles = (request: object): readonly FormFile[] | undefined => (request as Holder)[HELD_FILES];

async function readJson(request: BodyRequest, response: Response, cap: number, rule: BodyRule): Promise<boolean> {
  if (rule.fromForm && isForm(request)) return readForm(request, response, cap, rule);
  // A chunked body may be empty, and an empty body needs no content type, so check the type at the first byte.
  const isDeclared = Number(request.headers['content-length'] ?? 0) > 0;
  if (isDeclared) refuseWrongType(request, rule);
  const bytes = await readBody(request, response, cap, {
    onFirstByte: isDeclared ? undefined : () => refuseWrongType(request, rule),
    withinMs: rule.withinMs,
  });
  noteReceived();
  rule.checkHeaders?.(request.headers);
  const body = bytes.length > 0 ? parseJsonBody(bytes) : emptyBody(request, rule);
  request.body = body instanceof Promise ? ((await body) as object) : body;
  if (rule.keepsBytes) (request as Holder)[KEPT_BYTES] = factsOf(request.body as object).bytes ?? bytes;
  return true;
}

async function readForm(request: BodyRequest, response: Response, cap: number, rule: BodyRule): Promise<boolean> {
  refuseEncoding(request, rule);
  const bytes = await readBody(request, response, cap, { withinMs: rule.withinMs });
  noteReceived();
  const { fields, files } = await readHeldForm(bytes, request.headers['content-type']!);
  (request as Holder)[HELD_FILES] = files;
  request.body = rule.fromForm!(fields);
  return true;
}

async function readUrlencoded(request: BodyRequest, response: Response, cap: number, rule: BodyRule): Promise<boolean> {
  refuseEncoding(request, rule);
  if (!isUrlencoded(request)) throw invalidRequest(`Content-Type must be ${URLENCODED}`);
  const bytes = await readBody(request, response, cap, { withinMs: rule.withinMs });
  noteReceived();
  request.body = parseUrlencodedBody(bytes);
  return true;
}

/**
 * Records the time at which the body was received, because the time before it is not overhead of the service. The time
 * in the queue is overhead, so it is subtracted from the recorded time.
 */
function noteReceived(): void {
  const request = currentRequest();
  if (request) request.receivedAt = performance.now() - request.waitedMs;
}

function emptyBody(request: Request, rule: BodyRule): object {
  if (rule.mayBeEmpty || request.method === 'DELETE') return {};
  throw invalidRequest('The request body is empty: send a JSON object');
}

interface ReadingRules {
  /** Called at the first byte of the body. If it throws, the reading is aborted. */
  readonly onFirstByte?: () => void;
  readonly withinMs?: number;
}

/**
 * Reads the whole body into memory. Throws payload_too_large if the body has more than `cap` bytes, before any
 * reading if the declared length is larger.
 */
function readBody(
  request: Request,
  response: Response,
  cap: number,
  { onFirstByte, withinMs }: ReadingRules,
): Promise<Buffer> {
  refuseDeclaredLength(request, cap);
  if (!hasBody(request)) return Promise.resolve(Buffer.alloc(0));
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
      // Every request emits `close`. The caller has disconnected only if `close` comes before the end of the body.
      if (!request.readableEnded)
        stop(new GatewayError('caller_gone', 'The caller disconnected before its body was read'));
    };
    const onEnd = (): void => {
      clearTimeout(late);
      resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));
    };
    onSlowBody(request, stop);
    request.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone);
  });
}

const tooLarge = (cap: number): GatewayError =>
  new GatewayError('payload_too_large', `The request body is larger than ${cap} bytes`);
const tooLate = (withinMs: number): GatewayError =>
  new GatewayError('deadline_exceeded', `Operation timed out after ${withinMs / 1000}s. Please try again later.`);

function refuseDeclaredLength(request: Request, cap: number): void {
  if (Number(request.headers['content-length'] ?? 0) > cap) throw tooLarge(cap);
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
