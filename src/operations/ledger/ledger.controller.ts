import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Access } from '../../auth/access.decorator.js';
import { Caller } from '../../http/edge/caller.decorator.js';
import { FailsWith } from '../../http/errors/fails-with.decorator.js';
import { Operation } from '../../http/openapi/operation.decorator.js';
import type { Principal } from '../../kernel/principal.js';
import { ListLedgerRequest } from './dto/ledger.request.dto.js';
import { LedgerResponse } from './dto/ledger.response.dto.js';
import { LedgerService } from './ledger.service.js';
import { toLedgerResponse } from './ledger.wire.js';

@ApiTags('Credits')
@Access('management', 'credits.read')
@Controller('ledger')
export class LedgerController {
  constructor(private readonly ledger: LedgerService) {}

  @Get()
  @Operation(
    'listLedgerEntries',
    'List ledger entries',
    "Returns every change of the account's credits, newest first: calls, grants, refunds and corrections.",
  )
  @ApiOkResponse({ type: LedgerResponse, description: 'A page of entries, newest first, and the remaining credits' })
  @FailsWith('forbidden', 'not_found')
  async list(@Query() request: ListLedgerRequest, @Caller() caller: Principal): Promise<LedgerResponse> {
    const { page, keys } = await this.ledger.list(request, caller);
    return toLedgerResponse(page, keys);
  }
}
