import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { AuthorizationCodes, type IssuedCode } from '../../applications/authorization-codes.js';
import { CodeExchange } from '../../applications/code-exchange.js';
import { TOKEN_SCOPE } from '../../applications/federated-tokens.js';
import { SigningKeys, type PublishedKey } from '../../applications/signing-keys.js';
import { TokenExchange, type AccessToken } from '../../applications/token-exchange.js';
import { TokenRefusal } from '../../applications/token-refusal.js';
import type { IssuedKey } from '../../auth/api-keys.js';
import { SignInLimit } from '../../auth/sign-in-limit.js';
import { PublicAddress } from '../../http/edge/service-address.js';
import type { CallerPlace } from '../../kernel/caller-place.js';
import { GatewayError } from '../../kernel/errors/errors.js';
import type { Principal } from '../../kernel/principal.js';
import type { CreateAuthCodeRequest, ExchangeAuthCodeRequest } from './dto/auth-code.request.dto.js';
import {
  ACCESS_TOKEN_TYPE,
  GRANT_TYPE,
  SUBJECT_TOKEN_TYPE,
  type OAuthTokenRequest,
} from './dto/oauth-token.request.dto.js';
import { toCodeRequest } from './oauth.wire.js';

@Injectable()
export class OAuthService {
  constructor(
    private readonly codes: AuthorizationCodes,
    private readonly codeExchange: CodeExchange,
    private readonly tokenExchange: TokenExchange,
    private readonly signing: SigningKeys,
    private readonly limit: SignInLimit,
    private readonly address: PublicAddress,
  ) {}

  async createCode(request: CreateAuthCodeRequest, caller: Principal): Promise<IssuedCode> {
    return this.codes.create(toCodeRequest(request), caller);
  }

  async exchangeCode(body: ExchangeAuthCodeRequest, request: Request, place: CallerPlace): Promise<IssuedKey> {
    const { code, code_verifier: verifier, code_challenge_method: method } = body;
    return this.#countingFailures(request, () => this.codeExchange.exchange({ code, verifier, method }, place));
  }

  async exchangeToken(body: OAuthTokenRequest, request: Request, place: CallerPlace): Promise<AccessToken> {
    validateTokenRequest(body);
    const origin = this.address.of(request.headers.host);
    return this.#countingFailures(request, () =>
      this.tokenExchange.exchange(body.federation_policy_id, body.subject_token, origin, place),
    );
  }

  async keys(): Promise<PublishedKey[]> {
    return this.signing.published();
  }

  /** Counts failures by client address. Above the limit, a failure returns 429; a valid exchange still succeeds. */
  async #countingFailures<T>(request: Request, exchange: () => Promise<T>): Promise<T> {
    try {
      return await exchange();
    } catch (error) {
      const isRefusal = error instanceof TokenRefusal || (error instanceof GatewayError && error.kind === 'forbidden');
      if (isRefusal) await this.limit.countFailure(request);
      throw error;
    }
  }
}

function validateTokenRequest(body: OAuthTokenRequest): void {
  if (body.grant_type !== GRANT_TYPE)
    throw new TokenRefusal('unsupported_grant_type', `grant_type must be ${GRANT_TYPE}`);
  if (body.subject_token_type !== SUBJECT_TOKEN_TYPE)
    throw new TokenRefusal('invalid_request', `subject_token_type must be ${SUBJECT_TOKEN_TYPE}`);
  if (body.requested_token_type !== undefined && body.requested_token_type !== ACCESS_TOKEN_TYPE)
    throw new TokenRefusal('invalid_request', `requested_token_type must be ${ACCESS_TOKEN_TYPE}`);
  if (body.scope !== undefined && body.scope !== TOKEN_SCOPE)
    throw new TokenRefusal('invalid_scope', `scope must be ${TOKEN_SCOPE}`);
}
