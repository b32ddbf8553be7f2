import {
  AuthorizationResponseError,
  ClientError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client';
import { SignInRefused, type SignInRefusalReason } from '../sign-in-refused.js';
import { ProviderUnavailable } from './bounded-fetch.js';

/** Errors of the token endpoint that concern this service, not the authorization code. */
const ABOUT_CLIENT: ReadonlySet<string> = new Set(['invalid_client', 'unauthorized_client', 'unsupported_grant_type']);

/**
 * The reasons for refusals, by the library's error code. For other codes, the caller of `asSignInRefusal` gives the
 * reason.
 */
const BY_CODE: Readonly<Record<string, SignInRefusalReason>> = {
  OAUTH_INVALID_RESPONSE: 'response_invalid',
  OAUTH_RESPONSE_IS_NOT_CONFORM: 'provider_unusable',
  OAUTH_RESPONSE_IS_NOT_JSON: 'provider_unusable',
  OAUTH_PARSE_ERROR: 'provider_unusable',
  OAUTH_MISSING_SERVER_METADATA: 'provider_unusable',
  OAUTH_INVALID_SERVER_METADATA: 'provider_unusable',
  OAUTH_HTTP_REQUEST_FORBIDDEN: 'provider_unusable',
  OAUTH_REQUEST_PROTOCOL_FORBIDDEN: 'provider_unusable',
  OAUTH_TIMEOUT: 'provider_away',
  OAUTH_ABORT: 'provider_away',
};

/** Converts an error of the library to a refusal. `otherwise`: the reason if the error itself implies none. */
export function asSignInRefusal(error: unknown, otherwise: SignInRefusalReason): SignInRefused {
  if (error instanceof SignInRefused) return error;
  const unavailable = unavailableIn(error);
  if (unavailable) return new SignInRefused('provider_away', unavailable.message);
  if (error instanceof AuthorizationResponseError) return new SignInRefused('provider_denied');
  if (error instanceof WWWAuthenticateChallengeError) return new SignInRefused('client_refused');
  if (error instanceof ResponseBodyError)
    return new SignInRefused(ABOUT_CLIENT.has(error.error) ? 'client_refused' : 'code_refused');
  if (error instanceof ClientError) return new SignInRefused(BY_CODE[error.code ?? ''] ?? otherwise, detailOf(error));
  return new SignInRefused(otherwise, error instanceof Error ? error.name : null);
}

/** The library's error code, and the name of the claim that the library refused. */
function detailOf({ code, cause }: ClientError): string | null {
  const claim = ((cause as Error | undefined)?.cause as { claim?: unknown } | undefined)?.claim;
  return typeof claim === 'string' && /^\w{1,20}$/.test(claim) ? `${code} of ${claim}` : (code ?? null);
}

function unavailableIn(error: unknown): ProviderUnavailable | undefined {
  for (let each = error; each instanceof Error; each = each.cause) if (each instanceof ProviderUnavailable) return each;
  return undefined;
}
