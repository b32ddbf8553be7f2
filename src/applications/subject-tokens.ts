import { Injectable } from '@nestjs/common';
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, errors, jwtVerify, type JWTPayload } from 'jose';
import { hash } from 'node:crypto';
import { Clock } from '../kernel/clock.js';
import { GatewayError } from '../kernel/errors/errors.js';
import type { FederationPolicy } from './federation-policies.js';
import { IssuerKeys } from './issuer-keys.js';
import { invalidGrant } from './token-refusal.js';

const ALGORITHMS: readonly string[] = ['RS256', 'PS256', 'ES256', 'EdDSA'];
/** Header members with which a token could supply its own key. */
const OWN_KEY = ['jku', 'x5u', 'jwk', 'x5c'] as const;
const MAX_SKEW_S = 30;
const MAX_AGE_S = 3_600;

/** A subject token that a policy accepts. */
export interface AcceptedToken {
  /** Seconds since 1970. */
  readonly expiresAtS: number;
  /**
   * The time after which the token is refused because it has expired or is too old, including the allowed clock skew.
   * Seconds since 1970.
   */
  readonly acceptedUntilS: number;
  /** Identifies the token among the tokens of its issuer. */
  readonly id: string;
}

/** Checks the tokens of issuers: signature, issuer, subject, audience and times. */
@Injectable()
export class SubjectTokens {
  constructor(
    private readonly issuerKeys: IssuerKeys,
    private readonly clock: Clock,
  ) {}

  /** Throws a TokenRefusal, or `unavailable` if the keys of the issuer cannot be fetched. */
  async verify(token: string, policy: FederationPolicy): Promise<AcceptedToken> {
    const kid = checkedKid(token);
    const claims = parsed(() => decodeJwt(token));
    // Compare the claims before the signature is verified, so that a token that does not match causes no fetch.
    refuseMismatch(claims, policy);
    const keys = await this.issuerKeys.keysOf(policy, kid);
    const now = this.clock.now();
    try {
      const { payload } = await jwtVerify(token, createLocalJWKSet(keys), {
        algorithms: [...ALGORITHMS],
        requiredClaims: ['exp', 'iat'],
        currentDate: now,
        clockTolerance: MAX_SKEW_S,
        maxTokenAge: MAX_AGE_S,
      });
      refuseMismatch(payload, policy);
      const [exp, iat] = [payload.exp!, payload.iat!];
      const acceptedUntilS = Math.min(exp, iat + MAX_AGE_S) + MAX_SKEW_S;
      return { expiresAtS: exp, acceptedUntilS, id: idOf(payload, token) };
    } catch (error) {
      throw error instanceof GatewayError ? error : invalidGrant(`subject_token: ${reasonFor(error)}`);
    }
  }
}

function checkedKid(token: string): string | undefined {
  const header = parsed(() => decodeProtectedHeader(token));
  if (header.alg === undefined || !ALGORITHMS.includes(header.alg))
    throw invalidGrant(`subject_token must be signed with one of ${ALGORITHMS.join(', ')}`);
  if (OWN_KEY.some((member) => member in header))
    throw invalidGrant(`subject_token must not have a header with ${OWN_KEY.join(', ')}`);
  return typeof header.kid === 'string' ? header.kid : undefined;
}

function parsed<T>(decode: () => T): T {
  try {
    return decode();
  } catch {
    throw invalidGrant('subject_token is not a signed JWT');
  }
}

/**
 * Throws a TokenRefusal unless issuer, subject and audience are exactly the values of the policy. A list of audiences
 * must have only one element.
 */
function refuseMismatch({ iss, sub, aud }: JWTPayload, { issuer, subject, audience }: FederationPolicy): void {
  if (iss !== issuer) throw invalidGrant('subject_token: iss is not the issuer of the policy');
  if (sub !== subject) throw invalidGrant('subject_token: sub is not the subject of the policy');
  const given = Array.isArray(aud) && aud.length === 1 ? aud[0] : aud;
  if (given !== audience) throw invalidGrant('subject_token: aud is not the audience of the policy');
}

/**
 * Returns a hash of the token's id, because issuers may use ids of any length. If the token has no id, returns a hash
 * of the token without its signature, because one signature can be encoded in several ways.
 */
const idOf = ({ jti }: JWTPayload, token: string): string =>
  typeof jti === 'string'
    ? `jti:${hash('sha256', jti, 'hex')}`
    : `token:${hash('sha256', token.slice(0, token.lastIndexOf('.')), 'hex')}`;

function reasonFor(error: unknown): string {
  if (error instanceof errors.JWTExpired) return 'it has expired, or was issued more than an hour ago';
  if (error instanceof errors.JWTClaimValidationFailed) return `its claim ${error.claim} is missing or not accepted`;
  if (error instanceof errors.JWKSNoMatchingKey) return 'the issuer has no key with its kid and alg';
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'its signature is wrong';
  return 'it could not be verified';
}
