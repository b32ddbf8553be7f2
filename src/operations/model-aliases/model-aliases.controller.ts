import { Body, Controller, Delete, Get, Param, Put, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Access } from '../../auth/access.decorator.js';
import { Caller } from '../../http/edge/caller.decorator.js';
import { FailsWith } from '../../http/errors/fails-with.decorator.js';
import { Operation } from '../../http/openapi/operation.decorator.js';
import { DeletedResponse } from '../../http/reply/deleted.response.dto.js';
import { OffsetPageRequest } from '../../http/validation/offset-page.request.dto.js';
import type { Principal } from '../../kernel/principal.js';
import { SetModelAliasRequest } from './dto/model-alias.request.dto.js';
import { ModelAliasListResponse, ModelAliasResponse } from './dto/model-alias.response.dto.js';
import { ModelAliasesService } from './model-aliases.service.js';
import { toModelAliasRecord } from './model-aliases.wire.js';

@ApiTags('Models')
@Access('operator', 'catalogue.write')
@Controller('models/aliases')
export class ModelAliasesController {
  constructor(private readonly aliases: ModelAliasesService) {}

  @Get()
  @Operation(
    'listModelAliases',
    'List model aliases',
    "Returns the names that the operator defined for models. Only for keys of the operator's account.",
  )
  @ApiOkResponse({ type: ModelAliasListResponse, description: 'The aliases, sorted by name' })
  @FailsWith('forbidden', 'not_found')
  async list(@Query() request: OffsetPageRequest): Promise<ModelAliasListResponse> {
    const { items, total } = await this.aliases.list(request);
    return { data: items.map(toModelAliasRecord), total_count: total };
  }

  @Put(':name')
  @Operation(
    'setModelAlias',
    'Set a model alias',
    'Defines a name for one or more models on every replica, and replaces an earlier alias with this ' +
      'name. Open calls are not affected. A slash in the name is encoded as %2F.',
  )
  @ApiOkResponse({ type: ModelAliasResponse, description: 'The alias' })
  @FailsWith('forbidden', 'not_found', 'conflict')
  async set(
    @Param('name') name: string,
    @Body() { models }: SetModelAliasRequest,
    @Caller() caller: Principal,
  ): Promise<ModelAliasResponse> {
    return { data: toModelAliasRecord(await this.aliases.set(name, models, caller)) };
  }

  @Delete(':name')
  @Operation('deleteModelAlias', 'Delete a model alias', 'Deletes the alias on every replica.')
  @ApiOkResponse({ type: DeletedResponse, description: 'Deleted' })
  @FailsWith('forbidden', 'not_found')
  async remove(@Param('name') name: string, @Caller() caller: Principal): Promise<DeletedResponse> {
    await this.aliases.remove(name, caller);
    return { deleted: true };
  }
}
