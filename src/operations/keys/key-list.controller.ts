import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Access } from '../../auth/access.decorator.js';
import { Caller } from '../../http/edge/caller.decorator.js';
import { FailsWith } from '../../http/errors/fails-with.decorator.js';
import { Operation } from '../../http/openapi/operation.decorator.js';
import type { Principal } from '../../kernel/principal.js';
import { KeySummaryListResponse } from './dto/key-summaries.response.dto.js';
import { ListKeySummariesRequest } from './dto/list-key-summaries.request.dto.js';
import { KeyListService } from './key-list.service.js';
import { toKeyList } from './key-list.wire.js';

@ApiTags('API Keys')
@Access('administration', 'keys.read')
@Controller('key-list')
export class KeyListController {
  constructor(private readonly keys: KeyListService) {}

  @Get()
  @Operation(
    'listKeySummaries',
    'Search and sort API keys',
    'Returns the keys that the caller may read, in all workspaces, with owner, workspace, spend and the used ' +
      'share of the limit. Keys of interns and of console sessions are not listed. If the list is sorted by ' +
      'spend, a key can move to another page while its spend grows.',
  )
  @ApiOkResponse({ type: KeySummaryListResponse, description: 'A page of keys, by default newest first' })
  @FailsWith('not_found')
  async list(@Query() request: ListKeySummariesRequest, @Caller() caller: Principal): Promise<KeySummaryListResponse> {
    return toKeyList(await this.keys.page(request, caller));
  }
}
