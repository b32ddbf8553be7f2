import { ApiProperty } from '@nestjs/swagger';
import { ResponseExample } from '../../../http/openapi/response-example.decorator.js';
import { DataResponse, ListResponse } from '../../../http/reply/data-response.js';

/** A federation policy. */
@ResponseExample({
  id: '019ab0c4-4444-7a61-9d0e-1f2a3b4c5d6e',
  name: 'Deployments',
  issuer: 'https://token.actions.githubusercontent.com',
  jwks_url: null,
  subject: 'repo:acme/shop:ref:refs/heads/main',
  audience: 'https://gatehouse.example.com',
  api_key_hash: '0e6f44a2b5d1c3980e6f44a2b5d1c3980e6f44a2b5d1c3980e6f44a2b5d1c398',
  disabled: false,
  created_at: '2026-11-27T08:30:00.000Z',
  updated_at: null,
})
export class FederationPolicyRecord {
  @ApiProperty({ format: 'uuid' })
  id: string;

  @ApiProperty()
  name: string;

  @ApiProperty()
  issuer: string;

  @ApiProperty({ type: String, nullable: true })
  jwks_url: string | null;

  @ApiProperty()
  subject: string;

  @ApiProperty()
  audience: string;

  @ApiProperty()
  api_key_hash: string;

  @ApiProperty()
  disabled: boolean;

  @ApiProperty({ format: 'date-time' })
  created_at: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  updated_at: string | null;
}

export class FederationPolicyResponse extends DataResponse(FederationPolicyRecord) {}

export class FederationPolicyListResponse extends ListResponse(FederationPolicyRecord) {}
