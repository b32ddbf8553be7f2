import { Agent, request } from 'undici';
import {
  AddressNotPublic,
  guardedLookup,
  publicOrNamed,
  resolveByDns,
  type Resolve,
} from '../../kernel/addresses/guarded-lookup.js';
import { isLiteralAddress } from '../../kernel/addresses/public-address.js';
import { VERSION } from '../../config/version.js';
import { hostOf } from '../../kernel/fetched-url.js';
import { WebhookSender, type SendOutcome, type SendRequest } from '../webhook-sender.port.js';

/**
 * A response up to this size is read to its end, so that its connection can be reused. A longer response closes the
 * connection.
 */
const MAX_RESPONSE_BYTES = 16_384;
const MAX_CONNECT_MS = 5_000;
const MAX_ERROR_CHARACTERS = 200;
const MAX_PAUSE_MS = 3_600_000;
const RETRY_AFTER_STATUSES: ReadonlySet<number> = new Set([429, 503]);

/**
 * Connects to the public network only. For names, checks the addresses that the socket connects to; for literal
 * addresses, checks before the request. Does not follow redirects. Discards response bodies.
 */
export class GuardedWebhookSender extends WebhookSender {
  readonly #agent: Agent;
  readonly #isAllowed: (host: string, address: string) => boolean;

  constructor(
    privateHosts: readonly string[],
    private readonly timeoutMs: number,
    resolve: Resolve = resolveByDns,
  ) {
    super();
    this.#isAllowed = publicOrNamed(privateHosts);
    this.#agent = new Agent({
      connect: {
        lookup: guardedLookup(this.#isAllowed, resolve),
        timeout: Math.min(timeoutMs, MAX_CONNECT_MS),
      },
      keepAliveTimeout: 1_000,
      allowH2: false,
    });
  }

  async send({ url, headers, body }: SendRequest): Promise<SendOutcome> {
    const signal = AbortSignal.timeout(this.timeoutMs);
    try {
      const host = hostOf(url);
      if (isLiteralAddress(host) && !this.#isAllowed(host, host))
        throw new AddressNotPublic('resolves to an address that is not public');
      const response = await request(url, {
        method: 'POST',
        dispatcher: this.#agent,
        signal,
        headers: { 'content-type': 'application/json', 'user-agent': `Gatehouse/${VERSION}`, ...headers },
        body,
      });
      // Only the status matters, so a failure in the body is ignored.
      response.body.on('error', () => undefined);
      await response.body.dump({ limit: MAX_RESPONSE_BYTES, signal }).catch(() => undefined);
      const retryAfterMs = RETRY_AFTER_STATUSES.has(response.statusCode)
        ? pauseOf(response.headers['retry-after'])
        : undefined;
      return { status: response.statusCode, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
    } catch (error) {
      return { error: signal.aborted ? `no response within ${this.timeoutMs} ms` : causeOf(error) };
    }
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }
}

/**
 * Parses Retry-After, which is in seconds or a date. Returns milliseconds, at most an hour; undefined if the header is
 * missing or invalid.
 */
function pauseOf(header: string | string[] | undefined): number | undefined {
  if (typeof header !== 'string') return undefined;
  const ms = /^\d+(?:\.\d+)?$/.test(header) ? Number(header) * 1_000 : new Date(header).getTime() - Date.now();
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(Math.ceil(ms), 0), MAX_PAUSE_MS);
}

/** The message of an error. undici wraps the errors of sockets, so the cause is preferred. */
function causeOf(error: unknown): string {
  const { message, cause, code } = error as Error & { code?: string };
  const reason = cause instanceof Error ? cause.message : message;
  return (reason || code || 'the connection failed').slice(0, MAX_ERROR_CHARACTERS);
}
