import { ApiProperty } from '@nestjs/swagger';
import { ResponseExample } from '../../../http/openapi/response-example.decorator.js';

/** A secret that was replaced by a rotation and is still valid. */
export class FormerSecretRecord {
  /** SHA-256 of the secret. Until the secret ends, this hash identifies the key like its current hash. */
  @ApiProperty({ pattern: '^[0-9a-f]{64}$' })
  hash: string;

  /** Masked rendering of the secret; null if an earlier version of the service replaced the secret. */
  @ApiProperty({ type: String, nullable: true })
  label: string | null;

  @ApiProperty({ format: 'date-time' })
  replaced_at: string;

  /** When the secret stops working. */
  @ApiProperty({ format: 'date-time' })
  ends_at: string;
}

@ResponseExample({
  data: [
    {
      hash: '0b1f3a7c9d5e2f4680a1c3e5d7f9b2d4f6081a3c5e7092b4d6f8091a3b5c7d9e',
      label: 'sk-gh-v1-9ab...77f0',
      replaced_at: '2026-11-22T09:00:00.000Z',
      ends_at: '2026-11-23T09:00:00.000Z',
    },
  ],
})
export class FormerSecretsResponse {
  @ApiProperty({ type: [FormerSecretRecord] })
  data: FormerSecretRecord[];
}

@ResponseExample({ ended: 1 })
export class FormerSecretsEndedResponse {
  /** The number of secrets that were ended. */
  @ApiProperty({ type: 'integer' })
  ended: number;
}
