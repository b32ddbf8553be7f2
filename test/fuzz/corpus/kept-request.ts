import type { OpenApiDocument } from '../../support/api/openapi-document.js';
import type { VendorFault } from '../../support/vendors/scripted-vendor.js';

/** A request that every run sends. */
export interface KeptRequest {
  /** The fault that it once caused, or the rule that it checks. */
  readonly name: string;
  readonly method: string;
  /** A path with the parameters of the OpenAPI document, such as `/api/v1/keys/{hash}`, and a query. */
  readonly path: string;
  /** Default: the headers of JSON, if there is a body. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Generated when the request is sent, because the bodies of all requests have gigabytes in total. */
  readonly body?: () => string | Buffer;
  /** Whether the request is sent with a key that can pay. No other request may reach a vendor. */
  readonly isPaid?: boolean;
  /** The vendor's reaction to the call. Default: a successful response. */
  readonly vendor?: VendorFault;
  /** Default: any status that the route allows. */
  readonly status?: number;
  /** The text that the response must contain. */
  readonly holds?: RegExp;
  /** The bytes sent over a plain socket. They replace all other members except the name and the status. */
  readonly raw?: string;
}

/** The requests of one rule. Rules for every route use the document. */
export type KeptRequests = (document: OpenApiDocument) => Iterable<KeptRequest>;

/** A request with a JSON body. */
export const sent = (
  name: string,
  route: string,
  body: string | (() => string | Buffer),
  more: Partial<KeptRequest> = {},
): KeptRequest => {
  const [method = '', path = ''] = route.split(' ');
  return { name, method, path: `/api/v1${path}`, body: typeof body === 'string' ? () => body : body, ...more };
};

export const asked = (name: string, path: string, more: Partial<KeptRequest> = {}): KeptRequest => ({
  name,
  method: 'GET',
  path: `/api/v1${path}`,
  ...more,
});

/** Returns the next values of a list, so that similar requests together use the whole list. */
export function inTurn<T>(all: readonly T[]): (count: number) => readonly T[] {
  let at = 0;
  return (count) => Array.from({ length: count }, () => all[at++ % all.length]!);
}
