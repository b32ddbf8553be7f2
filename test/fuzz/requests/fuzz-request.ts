import type { Column } from '../../support/api/access-matrix.data.js';

/** The two accounts of a run. */
export type AccountName = 'first' | 'second';

/** An API key in the form in which a request sends it. */
export interface FuzzKey {
  /** The name in reports. Never contains the secret. */
  readonly name: string;
  /** The Authorization header; undefined = none. */
  readonly header: string | undefined;
  readonly account: AccountName | undefined;
  /** The column of the access matrix for this key. Undefined if it may have changed during the run. */
  readonly column: Column | undefined;
}

/** A resource that the service created during a run. */
export interface Thing {
  readonly kind: ThingKind;
  readonly id: string;
  readonly account: AccountName;
  /** Whether the resource was deleted. */
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
  /** The number of the request over all workers. A run with the same seed and `--requests index+1` includes it. */
  readonly index: number;
  readonly method: string;
  /** The path and the query, without the origin. */
  readonly path: string;
  readonly key: FuzzKey;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer | undefined;
  /** The resources of the run that the path names. */
  readonly named: readonly Thing[];
  /** Whether the caller disconnects as soon as the head of the response has arrived. */
  readonly leaves: boolean;
}

export interface FuzzResponse {
  /** Whether the connection ended before the end of the response. */
  readonly isCut?: boolean;
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
}

export const bytesOf = ({ body, path }: Pick<FuzzRequest, 'body' | 'path'>): number =>
  body === undefined ? path.length : Buffer.byteLength(body);
