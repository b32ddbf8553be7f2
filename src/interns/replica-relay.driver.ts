import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { IncomingHttpHeaders } from 'node:http';
import { Agent, request } from 'undici';
import { chatErrors } from './intern-chat.errors.js';

const CONNECT_TIMEOUT_MS = 3_000;
const HEADERS_TIMEOUT_MS = 30_000;
/** Codes of errors that occur before the request is sent. */
const NOT_CONNECTED = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
]);
/** Longer than the interval between the keepalive comments of a stream. */
const SILENCE_TIMEOUT_MS = 90_000;

/** Marks a relayed request, so that the receiving replica does not relay it again. */
export const RELAYED_HEADER = 'x-gatehouse-relayed';

/** `cookie` and `sec-fetch-site` are for requests of the console. */
const FORWARDED_HEADERS = [
  'authorization',
  'content-type',
  'cookie',
  'sec-fetch-site',
  'user-agent',
  'x-request-id',
] as const;

export interface RelayedRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** The path with its query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The address of the caller; null = unknown. */
  readonly address: string | null;
  readonly body: Uint8Array | null;
  readonly signal: AbortSignal;
}

export interface RelayedResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Rejects if the connection breaks. */
  readonly body: AsyncIterable<Buffer>;
}

/** The replica could not be reached, so it has not received the request. */
export class ReplicaAway extends Error {
  override name = 'ReplicaAway';
}

/** Sends requests to other replicas, which authenticate the caller again. */
@Injectable()
export class ReplicaRelay implements OnModuleDestroy {
  /** Keeps no idle connections, because a replica that shuts down closes them even while a request is being sent. */
  readonly #agent = new Agent({ connect: { timeout: CONNECT_TIMEOUT_MS }, pipelining: 0 });

  /** Throws ReplicaAway if the replica cannot be reached, and intern_unreachable if it does not respond. */
  async send(replicaUrl: string, relayed: RelayedRequest): Promise<RelayedResponse> {
    const { method, path, headers, address, body, signal } = relayed;
    const sent: Record<string, string> = { [RELAYED_HEADER]: '1' };
    for (const name of FORWARDED_HEADERS) {
      const value = headers[name];
      if (typeof value === 'string') sent[name] = value;
    }
    if (address !== null) sent['x-forwarded-for'] = address;
    try {
      const response = await request(replicaUrl + path, {
        dispatcher: this.#agent,
        method,
        headers: sent,
        body,
        signal,
        headersTimeout: HEADERS_TIMEOUT_MS,
        bodyTimeout: SILENCE_TIMEOUT_MS,
      });
      return { status: response.statusCode, headers: response.headers, body: response.body };
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== undefined && NOT_CONNECTED.has(code)) throw new ReplicaAway('not connected', { cause: error });
      throw chatErrors.unreachable(error);
    }
  }

  onModuleDestroy(): Promise<void> {
    return this.#agent.destroy();
  }
}
