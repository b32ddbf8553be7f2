import type { AvailabilityCode, ErrorFacts } from './error-facts.js';

/**
 * The kinds of GatewayError. Every expected failure is a GatewayError. `error-status.ts` maps the kinds to HTTP
 * statuses.
 */
export type ErrorKind =
  | 'invalid_request'
  | 'unauthenticated'
  | 'insufficient_credits'
  | 'budget_exceeded'
  | 'forbidden'
  | 'not_found'
  | 'deadline_exceeded'
  | 'conflict'
  | 'gone'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'rate_limited'
  | 'internal'
  | 'provider_failed'
  | 'unavailable'
  | 'run_timeout'
  | 'provider_timeout'
  | 'provider_overloaded'
  | 'caller_gone';

/** Machine-readable detail of an intern error. No other members exist. */
export interface ErrorMetadata {
  readonly reason: string;
  readonly retryable: boolean;
}

export interface ErrorDetails {
  readonly metadata?: ErrorMetadata;
  /** Response headers that belong to the error, such as Retry-After. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
  /** Whether the failure was an outage of the vendor, which counts towards the circuit breaker of its endpoint. */
  readonly outage?: boolean;
  /** The vendor's HTTP status, for the log. */
  readonly vendorStatus?: number;
  readonly facts?: ErrorFacts;
}

/** An expected failure. Its message is written for callers and never holds a secret. */
export class GatewayError extends Error {
  readonly metadata?: ErrorMetadata;
  readonly headers?: Readonly<Record<string, string>>;
  readonly outage: boolean;
  readonly vendorStatus?: number;
  readonly facts?: ErrorFacts;

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
    this.vendorStatus = details.vendorStatus;
    this.facts = details.facts;
  }

  /** A copy with additional facts; `message` and `headers` replace the present ones. */
  with(facts: ErrorFacts, { message, headers }: Partial<Pick<GatewayError, 'message' | 'headers'>> = {}): GatewayError {
    return new GatewayError(this.kind, message ?? this.message, {
      metadata: this.metadata,
      headers: headers ?? this.headers,
      cause: this.cause,
      outage: this.outage,
      vendorStatus: this.vendorStatus,
      facts: { ...this.facts, ...facts },
    });
  }
}

export const invalidRequest = (message: string): GatewayError => new GatewayError('invalid_request', message);
export const notFound = (message: string, availability?: AvailabilityCode): GatewayError =>
  new GatewayError('not_found', message, availability && { facts: { availability } });
export const forbidden = (message: string): GatewayError => new GatewayError('forbidden', message);
export const conflict = (message: string): GatewayError => new GatewayError('conflict', message);
export const unauthenticated = (message: string): GatewayError => new GatewayError('unauthenticated', message);
export const unavailable = (message: string): GatewayError => new GatewayError('unavailable', message);

/** The message of a thrown value, for a log line. */
export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The stack of a thrown value, or its message if it has no stack, for the log line of a defect. */
export const stackOf = (error: unknown): string => (error instanceof Error && error.stack) || reasonOf(error);
