import { validateHeaderName, validateHeaderValue, type IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { ProxyRefusal, type ProxyClient } from '../proxy-client.ts';
import { messageOf } from '../turn-failure.ts';
import { shown } from './shown.ts';
import {
  objectSchema,
  ToolError,
  unknownOutcome,
  type Arguments,
  type ToolPermission,
  type AgentTool,
  type ToolContext,
} from './tool.ts';

const MAX_URL_CHARACTERS = 8_192;
const MAX_HEADERS = 50;
const MAX_BODY_CHARACTERS = 1_000_000;
const MAX_RESPONSE_BYTES = 65_536;
const MAX_RESPONSE_HEADER_CHARACTERS = 4_000;
const TIMEOUT_MS = 60_000;
const READ_METHODS = ['GET', 'HEAD'];
const WRITE_METHODS = ['POST', 'PUT', 'PATCH', 'DELETE'];
const METHODS = [...READ_METHODS, ...WRITE_METHODS];
const MAX_SHOWN_HEADER_CHARACTERS = 400;
const MAX_SHOWN_BODY_CHARACTERS = 4_000;
/** Headers of the connection, which the proxy client sets. */
const OWN_HEADERS =
  /^(host|connection|content-length|transfer-encoding|upgrade|te|trailer|keep-alive|expect|proxy-.*)$/;
const GATEWAY_HOST = 'gatehouse.internal';
const DECODERS: ReadonlyMap<string, () => Transform> = new Map<string, () => Transform>([
  ['gzip', createGunzip],
  ['br', createBrotliDecompress],
  ['deflate', createInflate],
]);

/** Sends requests to hosts of the network, through the egress proxy. */
export const httpTool = (proxy: ProxyClient): AgentTool => ({
  name: 'http_request',
  description: 'Sends an HTTP request and returns the response. Redirects are not followed: request the new URL.',
  parameters: objectSchema(
    {
      method: { type: 'string', enum: METHODS },
      url: { type: 'string', description: 'http or https' },
      headers: { type: 'object', additionalProperties: { type: 'string' } },
      body: { type: 'string' },
    },
    ['url'],
  ),
  prepare: (args) => {
    const method = args.optionalText('method', 10)?.toUpperCase() ?? 'GET';
    if (!METHODS.includes(method)) throw new ToolError(`method must be one of ${METHODS.join(', ')}`);
    const url = urlIn(args);
    const headers = headersIn(args);
    const body = args.optionalText('body', MAX_BODY_CHARACTERS);
    const hasEffect = !READ_METHODS.includes(method);
    return {
      hasEffect,
      permission: permissionFor(method, url, headers, body),
      run: (context) => exchange((signal) => proxy.request(url, { method, headers, body }, signal), hasEffect, context),
    };
  },
});

/**
 * Reading and writing need separate permissions, and so do http and https. The question starts with the method and the
 * URL.
 */
function permissionFor(
  method: string,
  url: URL,
  headers: Readonly<Record<string, string>>,
  body: string | undefined,
): ToolPermission {
  const host = url.hostname.replace(/\.$/, '');
  const origin = `${url.protocol}//${host}${url.port ? `:${url.port}` : ''}`;
  const isRead = READ_METHODS.includes(method);
  const shownHeaders = Object.entries(headers).map(
    ([name, value]) => `  ${shown(name, MAX_SHOWN_HEADER_CHARACTERS)}: ${shown(value, MAX_SHOWN_HEADER_CHARACTERS)}`,
  );
  return {
    scope: `http_request ${isRead ? 'read' : 'write'} ${origin}`,
    covers: `${(isRead ? READ_METHODS : WRITE_METHODS).join(', ')} requests to ${origin}`,
    operation: [
      `http_request: ${method} ${shown(url.href)}`,
      'Headers:',
      ...shownHeaders,
      body === undefined ? 'No body' : `Body, ${body.length} characters: ${shown(body, MAX_SHOWN_BODY_CHARACTERS)}`,
    ].join('\n'),
    filled: [url.pathname + url.search, ...Object.values(headers), ...basicCredentials(headers)],
    host,
  };
}

/** The decoded credentials of Basic authentication. The proxy replaces placeholders in them too. */
function basicCredentials({ authorization = '' }: Readonly<Record<string, string>>): string[] {
  const encoded = /^Basic\s+(\S+)/i.exec(authorization)?.[1];
  return encoded === undefined ? [] : [Buffer.from(encoded, 'base64').toString('latin1')];
}

function urlIn(args: Arguments): URL {
  const text = args.text('url', MAX_URL_CHARACTERS);
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) throw new ToolError('url must be an absolute http or https URL');
  if (url.username || url.password) throw new ToolError('url must not hold credentials: use a header');
  if (url.hostname.replace(/\.$/, '') === GATEWAY_HOST) throw new ToolError(`${GATEWAY_HOST} is not for this tool`);
  url.hash = '';
  return url;
}

function headersIn(args: Arguments): Record<string, string> {
  const headers: Record<string, string> = { 'accept-encoding': 'identity', 'user-agent': 'gatehouse-intern' };
  for (const [name, value] of args.entries('headers', MAX_HEADERS)) {
    try {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    } catch {
      throw new ToolError(`The header ${shown(name)} is not valid`);
    }
    if (!OWN_HEADERS.test(name.toLowerCase())) headers[name.toLowerCase()] = value;
  }
  return headers;
}

async function exchange(
  begin: (signal: AbortSignal) => Promise<IncomingMessage>,
  hasEffect: boolean,
  { signal }: ToolContext,
): Promise<string> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  try {
    return await textOf(await begin(AbortSignal.any([signal, timeout])));
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ProxyRefusal) throw new ToolError(`The request was not sent: ${error.message}`);
    const reason = timeout.aborted
      ? `No complete response within ${TIMEOUT_MS / 1_000} s`
      : `The request failed: ${messageOf(error)}`;
    // The host may have executed the request before the connection failed.
    if (hasEffect) return unknownOutcome(reason);
    throw new ToolError(reason);
  }
}

async function textOf(response: IncomingMessage): Promise<string> {
  const body = decoded(response);
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of body as AsyncIterable<Buffer>) {
    parts.push(part);
    length += part.length;
    if (length > MAX_RESPONSE_BYTES) break;
  }
  response.destroy();
  const headers = Object.entries(response.headers).map(([name, value]) => `${name}: ${String(value)}`);
  return [
    `HTTP ${response.statusCode}`,
    headers.join('\n').slice(0, MAX_RESPONSE_HEADER_CHARACTERS),
    '',
    Buffer.concat(parts).toString('utf8', 0, Math.min(length, MAX_RESPONSE_BYTES)),
    ...(length > MAX_RESPONSE_BYTES ? [`[cut after ${MAX_RESPONSE_BYTES} bytes]`] : []),
  ].join('\n');
}

/** Decompressed as a stream, so that the reader's limit applies to decompressed bytes. */
function decoded(response: IncomingMessage): NodeJS.ReadableStream {
  const coding = response.headers['content-encoding']?.trim().toLowerCase();
  const decoder = DECODERS.get(coding ?? '')?.();
  if (!decoder) return response;
  response.once('error', (error) => decoder.destroy(error));
  return response.pipe(decoder);
}
