import { ApiProperty } from '@nestjs/swagger';
import { ResponseExample } from '../../../http/openapi/response-example.decorator.js';
import { DataResponse } from '../../../http/reply/data-response.js';

/** Amounts in USD, since the account was created. */
export class CreditsData {
  @ApiProperty({ format: 'double' })
  total_credits: number;

  @ApiProperty({ format: 'double' })
  total_usage: number;
}

@ResponseExample({ data: { total_credits: 100.5, total_usage: 25.75 } })
export class CreditsResponse extends DataResponse(CreditsData) {}
