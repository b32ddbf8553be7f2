import { GatewayError } from '../kernel/errors/errors.js';

/** The codes that RFC 6749, section 5.2 defines for a refused token exchange. */
type RefusalCode = 'invalid_request' | 'invalid_grant' | 'unsupported_grant_type' | 'invalid_scope';

/** The refusal of a token exchange because of a fault in the request. */
export class TokenRefusal extends GatewayError {
  constructor(
    readonly code: RefusalCode,
    message: string,
  ) {
    super('invalid_request', message);
  }
}

export const invalidGrant = (message: string): TokenRefusal => new TokenRefusal('invalid_grant', message);
