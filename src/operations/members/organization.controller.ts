import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../../auth/access.decorator.js';
import { Caller } from '../../auth/caller.decorator.js';
import { FailsWith } from '../../http/errors/fails-with.decorator.js';
import { OffsetPageRequest } from '../../http/validation/offset-page.request.dto.js';
import type { Principal } from '../../kernel/principal.js';
import { OrganizationMemberListResponse } from './dto/organization.response.dto.js';
import { MembersService } from './members.service.js';
import { toOrganizationMember } from './members.wire.js';

@ApiTags('Members')
@Controller('organization')
export class OrganizationController {
  constructor(private readonly members: MembersService) {}

  @Get('members')
  @Access('administration', 'members.read')
  @ApiOperation({
    operationId: 'listOrganizationMembers',
    summary: 'List the members of the organization',
    description:
      'Returns the members of the account in the format of the published API. `GET /members` returns the ' +
      'five roles.',
  })
  @ApiOkResponse({ type: OrganizationMemberListResponse, description: 'The members, oldest first' })
  @FailsWith()
  async list(
    @Query() request: OffsetPageRequest,
    @Caller() caller: Principal,
  ): Promise<OrganizationMemberListResponse> {
    const { items, total } = await this.members.page(request, caller);
    return { data: items.map((member) => toOrganizationMember(member, caller)), total_count: total };
  }
}
