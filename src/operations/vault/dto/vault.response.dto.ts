import { ApiProperty } from '@nestjs/swagger';
import { ResponseExample } from '../../../http/openapi/response-example.decorator.js';
import { DataResponse } from '../../../http/reply/data-response.js';

const SECRET_EXAMPLE = {
  name: 'github_token',
  hosts: ['api.github.com'],
  fingerprint: 'sha256:f01d52606dc8f0a8303a7b5cc3fa07109c2e346cec7c0a16b40de462992ce943',
  created_at: '2026-11-22T08:30:00.000Z',
};

/** A secret without its value. */
@ResponseExample(SECRET_EXAMPLE)
export class SecretResponse {
  @ApiProperty({ type: String })
  name: string;

  @ApiProperty({ type: [String] })
  hosts: string[];

  /** Equal values in one vault have equal fingerprints. Fingerprints of different vaults cannot be compared. */
  @ApiProperty({ type: String, pattern: '^sha256:[0-9a-f]{64}$' })
  fingerprint: string;

  /** When the secret was first stored. */
  @ApiProperty({ type: String, format: 'date-time' })
  created_at: string;
}

@ResponseExample({ ...SECRET_EXAMPLE, scope: 'workspace' })
export class EffectiveSecretResponse extends SecretResponse {
  /** The vault that contains the secret. */
  @ApiProperty({ type: String, enum: ['intern', 'attached', 'workspace'] })
  scope: string;
}

export class StoredSecretResponse extends DataResponse(SecretResponse) {}

export class SecretListResponse {
  @ApiProperty({ type: [SecretResponse] })
  data: SecretResponse[];

  @ApiProperty({ type: Boolean })
  has_more: boolean;
}

export class CopiedSecretsResponse {
  @ApiProperty({ type: [SecretResponse] })
  data: SecretResponse[];
}

export class EffectiveSecretsResponse {
  @ApiProperty({ type: [EffectiveSecretResponse] })
  data: EffectiveSecretResponse[];
}
