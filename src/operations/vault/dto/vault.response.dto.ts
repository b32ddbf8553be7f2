import { ApiProperty } from '@nestjs/swagger';

/** What may be told of a secret: never its value. */
export class SecretResponse {
  @ApiProperty({ type: String })
  name: string;

  @ApiProperty({ type: [String] })
  hosts: string[];

  /** Equal for equal values of one vault; says nothing outside it. */
  @ApiProperty({ type: String, pattern: '^sha256:[0-9a-f]{64}$' })
  fingerprint: string;

  /** When it was first stored. */
  @ApiProperty({ type: String, format: 'date-time' })
  created_at: string;
}

export class EffectiveSecretResponse extends SecretResponse {
  /** The vault it comes from. */
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
