import type { Column } from '../../support/api/access-matrix.data.js';

/** The two accounts of a run. */
export type AccountName = 'first' | 'second';

/** An API key as a request sends it. */
export interface FuzzKey {
  /** For a report; it never holds the secret. */
  readonly name: string;
  /** The Authorization header; undefined = none. */
  readonly header: string | undefined;
  readonly account: AccountName | undefined;
  /**
   * The column of the access matrix that says what this key may call; undefined where it may have changed during the
   * run.
   */
  readonly column: Column | undefined;
}

/** Something that the service made during a run. */
export interface Thing {
  readonly kind: ThingKind;
  readonly id: string;
  readonly account: AccountName;
  /** Whether it was deleted. */
  gone: boolean;
}

export type ThingKind =
  | 'key'
  | 'secret key'
  | 'intern'
  | 'own intern'
  | 'running intern'
  | 'session'
  | 'vault'
  | 'secret'
  | 'file'
  | 'workspace'
  | 'credential'
  | 'webhook'
  | 'delivery'
  | 'end user'
  | 'generation'
  | 'user'
  | 'cursor'
  | 'etag'
  | 'idempotency key';

export interface FuzzRequest {
  /** Counted over all workers: `--requests index+1` with the same seed comes to this request. */
  readonly index: number;
  readonly method: string;
  /** Below the origin, with its query. */
  readonly path: string;
  readonly key: FuzzKey;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer | undefined;
  /** Things of the run that the path names. */
  readonly named: readonly Thing[];
  /** The caller leaves as soon as the head of the response is there. */
  readonly leaves: boolean;
}

export interface FuzzResponse {
  /** Whether it ended before its end. */
  readonly isCut?: boolean;
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
}

export const bytesOf = ({ body, path }: Pick<FuzzRequest, 'body' | 'path'>): number =>
  body === undefined ? path.length : Buffer.byteLength(body);
