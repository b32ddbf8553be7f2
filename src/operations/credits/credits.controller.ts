import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Access } from '../../auth/access.decorator.js';
import { Caller } from '../../http/edge/caller.decorator.js';
import { Balances } from '../../billing/balances.js';
import { FailsWith } from '../../http/errors/fails-with.decorator.js';
import { Operation } from '../../http/openapi/operation.decorator.js';
import type { Principal } from '../../kernel/principal.js';
import { toCreditsData } from './credits.wire.js';
import { CreditsResponse } from './dto/credits.response.dto.js';

@ApiTags('Credits')
@Access('management', 'credits.read')
@Controller('credits')
export class CreditsController {
  constructor(private readonly balances: Balances) {}

  @Get()
  @Operation('getCredits', 'Get remaining credits', 'Returns the granted and the spent credits of the account, in USD.')
  @ApiOkResponse({ type: CreditsResponse, description: 'The granted and the spent credits' })
  @FailsWith('forbidden')
  async get(@Caller() caller: Principal): Promise<CreditsResponse> {
    return { data: toCreditsData(await this.balances.creditsOf(caller.accountNo)) };
  }
}
