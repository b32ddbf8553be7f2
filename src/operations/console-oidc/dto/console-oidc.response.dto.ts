import { ApiProperty } from '@nestjs/swagger';
import { ResponseExample } from '../../../http/openapi/response-example.decorator.js';

@ResponseExample({ url: 'https://id.example/authorize?client_id=gatehouse&state=…' })
export class StartSignInResponse {
  /** The page of the identity provider that this browser must open. */
  @ApiProperty()
  url: string;
}
