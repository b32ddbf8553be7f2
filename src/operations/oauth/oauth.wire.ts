import type { AccessToken } from '../../applications/token-exchange.js';
import { TOKEN_SCOPE } from '../../applications/federated-tokens.js';
import type { CodeRequest, IssuedCode } from '../../applications/authorization-codes.js';
import type { IssuedKey } from '../../auth/api-keys.js';
import { existingTime } from '../../http/validation/utc-time.js';
import { usdToNano } from '../../kernel/money.js';
import type { CreateAuthCodeRequest } from './dto/auth-code.request.dto.js';
import type { AuthCodeRecord, AuthKeyResponse } from './dto/auth-code.response.dto.js';
import type { OAuthTokenResponse } from './dto/oauth-token.response.dto.js';
import { ACCESS_TOKEN_TYPE } from './dto/oauth-token.request.dto.js';

/** Reads the request for a code. Throws a 400 for a time that does not exist. */
export const toCodeRequest = (request: CreateAuthCodeRequest): CodeRequest => ({
  callbackUrl: request.callback_url,
  codeChallenge: request.code_challenge,
  codeChallengeMethod: request.code_challenge_method,
  keyLabel: request.key_label,
  limitNano: request.limit === undefined ? undefined : usdToNano(request.limit),
  limitReset: request.usage_limit_type ?? null,
  expiresAt: request.expires_at ? existingTime(request.expires_at, 'expires_at') : null,
  workspaceId: request.workspace_id,
});

export const toAuthCodeRecord = ({ code, applicationNo, createdAt }: IssuedCode): AuthCodeRecord => ({
  id: code,
  app_id: applicationNo,
  created_at: createdAt.toISOString(),
});

export const toAuthKey = ({ key, secret }: IssuedKey): AuthKeyResponse => ({ key: secret, user_id: key.creatorUserId });

export const toTokenResponse = ({ token, expiresInS }: AccessToken): OAuthTokenResponse => ({
  access_token: token,
  expires_in: expiresInS,
  issued_token_type: ACCESS_TOKEN_TYPE,
  scope: TOKEN_SCOPE,
  token_type: 'Bearer',
});
