import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../../auth/access.decorator.js';
import { Caller } from '../../auth/caller.decorator.js';
import { FailsWith } from '../../http/errors/fails-with.decorator.js';
import type { Principal } from '../../kernel/principal.js';
import { NAMES_EXAMPLES } from './dto/names.examples.js';
import { NamesRequest, NameSearchRequest } from './dto/names.request.dto.js';
import { NamesResponse } from './dto/names.response.dto.js';
import { NamesService } from './names.service.js';
import { toNamesResponse } from './names.wire.js';

@ApiTags('Names')
@Access('any', 'catalogue.read')
@Controller('names')
export class NamesController {
  constructor(private readonly names: NamesService) {}

  @Post()
  @HttpCode(200)
  @ApiOperation({
    operationId: 'readNames',
    summary: 'Get the names of keys, members, workspaces and interns',
    description:
      'Turns ids into names, deleted keys and workspaces included. What the caller may not read is left out of the ' +
      'response, as what does not exist. A key that is no management key gets its own name, and the names of the ' +
      'interns of its member.',
  })
  @ApiBody({ type: NamesRequest, examples: NAMES_EXAMPLES })
  @ApiOkResponse({ type: NamesResponse, description: 'The names that the caller may read' })
  @FailsWith()
  async read(@Body() request: NamesRequest, @Caller() caller: Principal): Promise<NamesResponse> {
    return toNamesResponse(await this.names.read(request, caller));
  }

  @Post('search')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'searchNames',
    summary: 'Find keys, members, workspaces and interns by their names',
    description:
      'Up to 20 of each whose name contains the text, deleted keys last. Names, labels of keys, addresses of members ' +
      'and slugs of workspaces are compared, without regard to case. Keys of sessions of the console are left out.',
  })
  @ApiBody({ type: NameSearchRequest, examples: { support: { value: { query: 'support' } } } })
  @ApiOkResponse({ type: NamesResponse, description: 'What the caller may read' })
  @FailsWith()
  async search(@Body() { query }: NameSearchRequest, @Caller() caller: Principal): Promise<NamesResponse> {
    return toNamesResponse(await this.names.search(query, caller));
  }
}
