import { ApiProperty } from '@nestjs/swagger';

/** Amounts in USD, over the whole life of the account. */
export class CreditsData {
  @ApiProperty({ format: 'double' })
  total_credits: number;

  @ApiProperty({ format: 'double' })
  total_usage: number;
}

export class CreditsResponse {
  @ApiProperty({ type: CreditsData })
  data: CreditsData;
}
