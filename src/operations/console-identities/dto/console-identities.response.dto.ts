import { ApiProperty } from '@nestjs/swagger';
import { ResponseExample } from '../../../http/openapi/response-example.decorator.js';

/** An identity at an identity provider, with which the user signs in. */
export class ConsoleIdentityRecord {
  /** The id in the path of DELETE. */
  @ApiProperty()
  id: string;

  /** The name of the provider of the last sign-in with this identity. */
  @ApiProperty()
  provider: string;

  /** The label of the provider; null if the provider is no longer configured. */
  @ApiProperty({ type: String, nullable: true })
  label: string | null;

  /** From the latest claims of the provider. */
  @ApiProperty({ type: String, nullable: true })
  email: string | null;

  @ApiProperty()
  email_verified: boolean;

  @ApiProperty({ type: String, nullable: true })
  name: string | null;

  @ApiProperty({ format: 'date-time' })
  created_at: string;

  /** The time of the last sign-in. */
  @ApiProperty({ format: 'date-time' })
  used_at: string;
}

@ResponseExample({
  data: [
    {
      id: '5f2b0c9d1e3a4f60718293a4b5c6d7e8',
      provider: 'corp',
      label: 'Example Corp',
      email: 'ada@corp.example',
      email_verified: true,
      name: 'Ada',
      created_at: '2026-11-27T09:00:00.000Z',
      used_at: '2026-11-27T09:00:00.000Z',
    },
  ],
})
export class ConsoleIdentityListResponse {
  @ApiProperty({ type: [ConsoleIdentityRecord] })
  data: ConsoleIdentityRecord[];
}

@ResponseExample({ url: 'https://id.example/authorize?client_id=gatehouse&state=…' })
export class LinkIdentityResponse {
  /** The page of the identity provider that this browser must open. */
  @ApiProperty()
  url: string;
}
