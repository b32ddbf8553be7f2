import { ApiProperty } from '@nestjs/swagger';
import { ResponseExample } from '../../../http/openapi/response-example.decorator.js';
import { ACCESS_TOKEN_TYPE } from './oauth-token.request.dto.js';

@ResponseExample({
  access_token: 'eyJhbGciOiJFUzI1NiJ9.e30.c2lnbmF0dXJl',
  expires_in: 900,
  issued_token_type: ACCESS_TOKEN_TYPE,
  scope: 'inference',
  token_type: 'Bearer',
})
export class OAuthTokenResponse {
  /** A JWT that acts as the API key of the policy. */
  @ApiProperty()
  access_token: string;

  /** The lifetime in seconds: at most 900, and at most the remaining lifetime of the subject_token. */
  @ApiProperty({ type: 'integer', minimum: 1, maximum: 900 })
  expires_in: number;

  @ApiProperty({ enum: [ACCESS_TOKEN_TYPE] })
  issued_token_type: string;

  @ApiProperty({ enum: ['inference'] })
  scope: string;

  @ApiProperty({ enum: ['Bearer'] })
  token_type: string;
}

export class OAuthJwk {
  @ApiProperty({ enum: ['EC'] })
  kty: string;

  @ApiProperty({ enum: ['P-256'] })
  crv: string;

  @ApiProperty({ enum: ['ES256'] })
  alg: string;

  @ApiProperty({ enum: ['sig'] })
  use: string;

  @ApiProperty()
  kid: string;

  @ApiProperty()
  x: string;

  @ApiProperty()
  y: string;
}

@ResponseExample({
  keys: [
    {
      kty: 'EC',
      crv: 'P-256',
      alg: 'ES256',
      use: 'sig',
      kid: 'cn-I_WNMClehiVp51i_0VpOENW1upEerA8sEam5hn-s',
      x: 'MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4',
      y: '4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM',
    },
  ],
})
export class OAuthJwksResponse {
  @ApiProperty({ type: [OAuthJwk] })
  keys: OAuthJwk[];
}
