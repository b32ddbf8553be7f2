import { ApiProperty } from '@nestjs/swagger';
import { ResponseExample } from '../../../http/openapi/response-example.decorator.js';

/** A secret without its value. */
@ResponseExample({
  name: 'github_token',
  hosts: ['api.github.com'],
  fingerprint: 'sha256:f01d52606dc8f0a8303a7b5cc3fa07109c2e346cec7c0a16b40de462992ce943',
  created_at: '2026-11-22T08:30:00.000Z',
})
export class SecretResponse {
  @ApiProperty({ type: String })
  name: string;

  @ApiProperty({ type: [String] })
  hosts: string[];

  /** Equal values in one vault have equal fingerprints. Fingerprints of different vaults cannot be compared. */
  @ApiProperty({ type: String, pattern: '^sha256:[0-9a-f]{64}$' })
  fingerprint: string;

  /** When it was first stored. */
  @ApiProperty({ type: String, format: 'date-time' })
  created_at: string;
}

@ResponseExample({
  name: 'github_token',
  hosts: ['api.github.com'],
  fingerprint: 'sha256:f01d52606dc8f0a8303a7b5cc3fa07109c2e346cec7c0a16b40de462992ce943',
  created_at: '2026-11-22T08:30:00.000Z',
  scope: 'workspace',
})
export class EffectiveSecretResponse extends SecretResponse {
  /** The vault that contains the secret. */
  @ApiProperty({ type: String, enum: ['intern', 'attached', 'workspace'] })
  scope: string;
}

export class StoredSecretResponse {
  @ApiProperty({ type: SecretResponse })
  data: SecretResponse;
}

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
