/**
 * The one way to fail. Every room throws a GatewayError of some kind; `http/` owns the exhaustive record
 * kind → HTTP status, so no other room knows a status.
 */
export type ErrorKind =
  | 'invalid_request'
  | 'unauthenticated'
  | 'insufficient_credits'
  | 'forbidden'
  | 'not_found'
  | 'deadline_exceeded'
  | 'conflict'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'rate_limited'
  | 'internal'
  | 'provider_failed'
  | 'unavailable'
  | 'provider_timeout'
  | 'provider_overloaded'
  | 'caller_gone';

/** Machine-readable detail of an intern error (specification, "Intern error body"). No other keys exist. */
export interface ErrorMetadata {
  readonly reason: string;
  readonly retryable: boolean;
}

export interface ErrorDetails {
  readonly metadata?: ErrorMetadata;
  /** Response headers that belong to the error, such as Retry-After. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
  /** Whether a vendor did not answer as a working one would: counts towards the circuit breaker of its endpoint. */
  readonly outage?: boolean;
}

/** An expected failure: its message is written for the caller and never holds a secret. */
export class GatewayError extends Error {
  readonly metadata?: ErrorMetadata;
  readonly headers?: Readonly<Record<string, string>>;
  readonly outage: boolean;

  constructor(
    readonly kind: ErrorKind,
    message: string,
    details: ErrorDetails = {},
  ) {
    super(message, { cause: details.cause });
    this.name = 'GatewayError';
    this.metadata = details.metadata;
    this.headers = details.headers;
    this.outage = details.outage ?? false;
  }
}

export const invalidRequest = (message: string): GatewayError => new GatewayError('invalid_request', message);
export const notFound = (message: string): GatewayError => new GatewayError('not_found', message);
export const forbidden = (message: string): GatewayError => new GatewayError('forbidden', message);
export const conflict = (message: string): GatewayError => new GatewayError('conflict', message);
export const unauthenticated = (message: string): GatewayError => new GatewayError('unauthenticated', message);
