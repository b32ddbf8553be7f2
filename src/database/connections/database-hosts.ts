import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { readDatabaseAddress, type SessionTarget } from '../../kernel/addresses/database-address.js';
import { DatabaseUnavailable } from '../../kernel/errors/database-unavailable.js';

/** The time within which a host must respond during a search. */
const RESPONSE_TIMEOUT_MS = 2_000;
/** After this time the search also tries the next host, so that a host that hangs does not delay the search. */
const TRY_NEXT_AFTER_MS = 100;

const STATE = `select pg_is_in_recovery() as "isStandby",
    current_setting('transaction_read_only') = 'on' as "isReadOnly"`;

interface ServerState {
  readonly isStandby: boolean;
  readonly isReadOnly: boolean;
}

/** One host of an address. */
export interface DatabaseHost {
  readonly url: string;
  readonly host: string;
  readonly port: number;
  /** `host:port`, for messages. */
  readonly name: string;
}

/**
 * The hosts of an address, and the host in use. The host in use is the first host that responds and is in the state
 * that the address requires. It is used until a connection to it is lost. All connections of the process use the same
 * host.
 */
export class DatabaseHosts {
  static readonly #ofAddresses = new Map<string, DatabaseHosts>();

  readonly #hosts: readonly DatabaseHost[];
  /** The last host that was in the required state. The next search tries it first. */
  #last: DatabaseHost | undefined;
  #isCertain = false;
  #search: Promise<DatabaseHost> | undefined;

  private constructor(
    urls: readonly string[],
    private readonly target: SessionTarget,
  ) {
    this.#hosts = urls.map((url) => {
      const { host, port } = new pg.Client({ connectionString: url });
      return { url, host, port, name: `${host}:${port}` };
    });
  }

  /** Undefined for an address with one host that may be in any state. */
  static of(url: string | undefined): DatabaseHosts | undefined {
    const known = this.#ofAddresses.get(url ?? '');
    if (known || url === undefined) return known;
    const { urls, target } = readDatabaseAddress(url) ?? {};
    if (urls === undefined || target === undefined) return undefined;
    const hosts = new DatabaseHosts(urls, target);
    this.#ofAddresses.set(url, hosts);
    return hosts;
  }

  /** The address of one host, for reading the parts that are the same for all hosts. */
  get anyUrl(): string {
    return this.#hosts[0]!.url;
  }

  /**
   * The host to connect to. Throws DatabaseUnavailable with the response of each host if none is in the required state.
   */
  choose(): Promise<DatabaseHost> {
    if (this.#isCertain) return Promise.resolve(this.#last!);
    return (this.#search ??= this.#find().finally(() => (this.#search = undefined)));
  }

  /** Makes the next connection search all hosts again. */
  lost(host: DatabaseHost | undefined): void {
    if (host === this.#last) this.#isCertain = false;
  }

  /** Throws DatabaseUnavailable if the server of an open connection is not in the required state. */
  async check(client: Pick<pg.Client, 'query'>, { name }: DatabaseHost): Promise<void> {
    const { rows } = await client.query<ServerState>(STATE);
    const mismatch = mismatchOf(rows[0]!, this.target);
    if (mismatch) throw new DatabaseUnavailable(`${name} ${mismatch}`, '25006');
  }

  async #find(): Promise<DatabaseHost> {
    const found = new AbortController();
    const order = [...new Set([...(this.#last ? [this.#last] : []), ...this.#hosts])];
    try {
      this.#last = await Promise.any(
        order.map(async (host, place) => {
          if (place > 0) await sleep(place * TRY_NEXT_AFTER_MS, undefined, { signal: found.signal });
          await this.#probe(host);
          return host;
        }),
      );
      this.#isCertain = true;
      return this.#last;
    } catch (error) {
      const responses = (error as AggregateError).errors.map(({ message }: Error) => message);
      throw new DatabaseUnavailable(`no host of the database is ${nameOf(this.target)}: ${responses.join('; ')}`);
    } finally {
      found.abort();
    }
  }

  async #probe(host: DatabaseHost): Promise<void> {
    const client = new pg.Client({ connectionString: host.url, application_name: 'gatehouse-hosts' });
    client.on('error', () => undefined);
    const late = setTimeout(() => client.connection.stream.destroy(new Error('no response')), RESPONSE_TIMEOUT_MS);
    try {
      await client.connect();
      await this.check(client, host);
      void client.end().catch(() => undefined);
    } catch (error) {
      client.connection.stream.destroy();
      if (error instanceof DatabaseUnavailable) throw error;
      const { code, message } = error as NodeJS.ErrnoException;
      throw new Error(`${host.name} ${failureOf(code, message)}`, { cause: error });
    } finally {
      clearTimeout(late);
    }
  }
}

function mismatchOf({ isStandby, isReadOnly }: ServerState, target: SessionTarget): string | undefined {
  if (target === 'any') return undefined;
  if (target === 'standby') return isStandby ? undefined : 'is not a standby';
  if (isStandby) return 'is a standby';
  return target === 'read-write' && isReadOnly ? 'is read-only' : undefined;
}

const nameOf = (target: SessionTarget): string =>
  ({ 'read-write': 'read-write', primary: 'the primary', standby: 'a standby', any: 'usable' })[target];

function failureOf(code: string | undefined, message: string): string {
  if (message === 'no response') return `does not respond within ${RESPONSE_TIMEOUT_MS / 1_000} s`;
  if (code !== undefined && /^E[A-Z_]+$/.test(code)) return `does not accept connections (${code})`;
  return `refuses (${message.split('\n', 1)[0]})`;
}
