import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../../auth/access.decorator.js';
import { Caller } from '../../auth/caller.decorator.js';
import { FailsWith } from '../../http/errors/fails-with.decorator.js';
import type { Principal } from '../../kernel/principal.js';
import { ListMembersRequest } from './dto/members.request.dto.js';
import { MemberListResponse } from './dto/members.response.dto.js';
import { MembersService } from './members.service.js';
import { toMemberRecord } from './members.wire.js';

@ApiTags('Members')
@Access('management', 'members.read')
@Controller('members')
export class MembersController {
  constructor(private readonly members: MembersService) {}

  @Get()
  @ApiOperation({
    operationId: 'listMembers',
    summary: 'List members',
    description: 'The users of the account with their roles and programmes, in the order in which they were added.',
  })
  @ApiOkResponse({ type: MemberListResponse, description: 'The members, oldest first' })
  @FailsWith('forbidden')
  async list(@Query() request: ListMembersRequest, @Caller() caller: Principal): Promise<MemberListResponse> {
    const { items, total } = await this.members.list(request, caller);
    return { data: items.map(toMemberRecord), total_count: total };
  }
}
