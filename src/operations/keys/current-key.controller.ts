import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../../auth/access.decorator.js';
import { Caller } from '../../auth/caller.decorator.js';
import { FailsWith } from '../../http/errors/fails-with.decorator.js';
import type { Principal } from '../../kernel/principal.js';
import { CurrentKeyResponse } from './dto/current-key.response.dto.js';
import { KeysService } from './keys.service.js';
import { toCurrentKey } from './keys.wire.js';

@ApiTags('API Keys')
@Access('any', 'catalogue.read')
@Controller('key')
export class CurrentKeyController {
  constructor(private readonly keys: KeysService) {}

  @Get()
  @ApiOperation({
    operationId: 'getCurrentKey',
    summary: 'Get current API key',
    description: 'Returns the record of the calling key. For all classes of keys.',
  })
  @ApiOkResponse({ type: CurrentKeyResponse, description: 'The calling key and its spend' })
  @FailsWith()
  async get(@Caller() caller: Principal): Promise<CurrentKeyResponse> {
    return { data: toCurrentKey(await this.keys.own(caller), caller) };
  }
}
