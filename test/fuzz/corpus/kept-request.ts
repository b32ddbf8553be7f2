import type { OpenApiDocument } from '../../support/api/openapi-document.js';
import type { VendorFault } from '../../support/vendors/scripted-vendor.js';

/** A request that every run sends. */
export interface KeptRequest {
  /** The fault that it once found, or the rule that it holds. */
  readonly name: string;
  readonly method: string;
  /** With the parameters of the OpenAPI document, such as `/api/v1/keys/{hash}`, and a query. */
  readonly path: string;
  /** Default: that of JSON, where there is a body. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Made when it is sent: together they are gigabytes. */
  readonly body?: () => string | Buffer;
  /** Sent by a key that can pay. Every other request must not reach a vendor. */
  readonly isPaid?: boolean;
  /** What the vendor does with the call. Default: a good response. */
  readonly vendor?: VendorFault;
  /** Default: any status that the route may respond with. */
  readonly status?: number;
  /** What the response must hold. */
  readonly holds?: RegExp;
  /** Sent over a bare socket in place of all the above but the name and the status. */
  readonly raw?: string;
}

/** Requests of one rule; from the document where they are for every route. */
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

/** Takes values of a list in turn, so that requests that are alike use all of them together. */
export function inTurn<T>(all: readonly T[]): (count: number) => readonly T[] {
  let at = 0;
  return (count) => Array.from({ length: count }, () => all[at++ % all.length]!);
}
