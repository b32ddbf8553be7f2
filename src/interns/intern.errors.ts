import { GatewayError, type ErrorKind } from '../kernel/errors/errors.js';
import type { InternRequest, InternStatus } from './lifecycle.js';

const failure = (kind: ErrorKind, reason: string, message: string): GatewayError =>
  new GatewayError(kind, message, { metadata: { reason, retryable: false } });

const DONE: Record<InternRequest, string> = {
  update: 'changed',
  provision: 'provisioned',
  suspend: 'suspended',
  delete: 'deleted',
};

/** The failures of the interns group that have their own reason. */
export const internErrors = {
  invalidBody: (message: string) => failure('invalid_request', 'invalid_body', message),
  noActingUser: () =>
    failure(
      'forbidden',
      'no_acting_user',
      'This key acts for an organisation without a member: use a key that was created by or for a member',
    ),
  capabilityUnavailable: () =>
    failure('forbidden', 'workspace_capability_unavailable', 'This workspace does not allow interns'),
  notFound: () => failure('not_found', 'not_found', 'Not found'),
  keyReused: () =>
    failure(
      'conflict',
      'idempotency_key_reused',
      'This Idempotency-Key was used for a different request: send another key, or the same request',
    ),
  nameTaken: (name: string) =>
    failure('conflict', 'name_taken', `You already have an intern named ${name} in this workspace`),
  busy: (status: InternStatus, request: InternRequest) =>
    failure(
      'conflict',
      'intern_busy',
      `The intern is ${status.replaceAll('_', ' ')}: it cannot be ${DONE[request]} now`,
    ),
  limitReached: (limit: number) =>
    failure(
      'conflict',
      'intern_limit_reached',
      `A member may have ${limit} interns, and you have them already: delete one first`,
    ),
  vaultNotAttachable: () =>
    failure(
      'conflict',
      'vault_not_attachable',
      'vault_id must be a vault that can be attached: it must belong to another intern of the same ' +
        'workspace that is not being deleted',
    ),
  inProgress: () =>
    new GatewayError('conflict', 'The same request is still being processed: send it again in a moment', {
      metadata: { reason: 'request_in_progress', retryable: true },
      headers: { 'Retry-After': '1' },
    }),
  configuration: (what: string) => failure('internal', 'configuration_error', what),
  upstreamUnavailable: (cause: unknown) =>
    new GatewayError(
      'provider_failed',
      'The intern was created, but its setup is not complete: send the same request again',
      { metadata: { reason: 'upstream_unavailable', retryable: true }, cause },
    ),
};
