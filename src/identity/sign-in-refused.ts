import { GatewayError, type ErrorKind } from '../kernel/errors/errors.js';

const START_AGAIN = 'Start again from the sign-in page.';
const ASK = 'Ask an owner or an administrator of this service';

/** The reasons for refusing a sign-in. Each has the kind of the error, and the text for the person. */
const REASONS = {
  unknown_attempt: [
    'invalid_request',
    `This sign-in was not started in this browser, was completed already, or is older than ten minutes. ${START_AGAIN}`,
  ],
  provider_denied: ['invalid_request', `The identity provider did not sign you in. ${START_AGAIN}`],
  response_invalid: [
    'invalid_request',
    `The response of the identity provider does not belong to this sign-in. ${START_AGAIN}`,
  ],
  code_refused: ['invalid_request', `The identity provider did not accept the code of this sign-in. ${START_AGAIN}`],
  token_invalid: [
    'invalid_request',
    `The token of the identity provider is not valid. ${START_AGAIN} If it happens again, tell the operator.`,
  ],
  session_ended: [
    'invalid_request',
    'The session in which you began to link this identity has ended. Sign in, and link it again from your profile.',
  ],
  groups_missing: [
    'forbidden',
    'The identity provider sent no groups, and groups determine your role here. The operator has to add ' +
      'the claim of groups to the client at the provider.',
  ],
  groups_overage: [
    'forbidden',
    'You are in more groups than the identity provider sends. The operator has to restrict the claim of groups to ' +
      'those that are assigned to this service.',
  ],
  no_role: ['forbidden', `No group of yours has a role here any more. ${ASK} for one.`],
  no_account: [
    'forbidden',
    `You are signed in at the identity provider, but you are not a member here. ${ASK} for an invitation.`,
  ],
  deactivated: ['forbidden', `Your membership is deactivated. ${ASK} to activate it.`],
  address_not_allowed: [
    'forbidden',
    `The identity provider does not confirm an address of yours in a domain that is allowed here. ${ASK} for an ` +
      'invitation.',
  ],
  invitation_unusable: [
    'not_found',
    `This invitation is used, expired or revoked, or it is for another address. ${ASK} for a new one.`,
  ],
  address_taken: [
    'conflict',
    'Another user has your address. Sign in as that user and link this identity from the profile, or let the ' +
      'operator link it with `operator members link`.',
  ],
  identity_taken: ['conflict', 'This identity already belongs to another user.'],
  client_refused: [
    'unavailable',
    'The identity provider refused this service itself: the operator has to check its client id and secret. ' +
      '`operator console-link` prints a link that signs in meanwhile.',
  ],
  provider_away: [
    'unavailable',
    'The identity provider cannot be reached now. Try again in a moment; `operator console-link` prints a link that ' +
      'signs in meanwhile.',
  ],
  provider_unusable: [
    'unavailable',
    'The identity provider is not set up so that it can be used: the log of this service says why. ' +
      '`operator console-link` prints a link that signs in meanwhile.',
  ],
} as const satisfies Record<string, readonly [ErrorKind, string]>;

export type SignInRefusalReason = keyof typeof REASONS;

const RETRY_AFTER_S = '10';

/**
 * A refused sign-in. The message is for the person, and `detail` is for the log. Neither of them contains text from the
 * provider.
 */
export class SignInRefused extends GatewayError {
  constructor(
    readonly reason: SignInRefusalReason,
    readonly detail: string | null = null,
  ) {
    const [kind, message] = REASONS[reason];
    super(kind, message, kind === 'unavailable' ? { headers: { 'retry-after': RETRY_AFTER_S } } : {});
  }
}

/** The text for the person; null for an unknown reason. */
export const messageOfReason = (word: string): string | null =>
  Object.hasOwn(REASONS, word) ? REASONS[word as SignInRefusalReason][1] : null;
