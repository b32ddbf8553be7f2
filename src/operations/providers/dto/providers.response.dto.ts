import { ApiProperty } from '@nestjs/swagger';
import { ResponseExample } from '../../../http/openapi/response-example.decorator.js';

@ResponseExample({
  name: 'North',
  slug: 'north',
  privacy_policy_url: 'https://north.example/privacy',
  terms_of_service_url: 'https://north.example/terms',
  status_page_url: null,
  headquarters: 'FR',
  datacenters: ['FR'],
})
export class ProviderRecord {
  @ApiProperty({ type: String })
  name: string;

  /** The slug that requests and BYOK credentials use for the provider. */
  @ApiProperty({ type: String })
  slug: string;

  @ApiProperty({ type: String, nullable: true })
  privacy_policy_url: string | null;

  @ApiProperty({ type: String, nullable: true })
  terms_of_service_url: string | null;

  @ApiProperty({ type: String, nullable: true })
  status_page_url: string | null;

  /** ISO 3166-1 alpha-2. */
  @ApiProperty({ type: String, nullable: true })
  headquarters: string | null;

  /** ISO 3166-1 alpha-2. */
  @ApiProperty({ type: [String], nullable: true })
  datacenters: string[] | null;
}

export class ProvidersResponse {
  @ApiProperty({ type: [ProviderRecord] })
  data: ProviderRecord[];
}
