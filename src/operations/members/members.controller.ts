import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Access } from '../../auth/access.decorator.js';
import { Caller } from '../../http/edge/caller.decorator.js';
import { ReadsBody } from '../../http/body/reads-body.decorator.js';
import { FailsWith } from '../../http/errors/fails-with.decorator.js';
import { Operation } from '../../http/openapi/operation.decorator.js';
import { DeletedResponse } from '../../http/reply/deleted.response.dto.js';
import { MemberPageRequest, OffsetPageRequest } from '../../http/validation/offset-page.request.dto.js';
import type { Principal } from '../../kernel/principal.js';
import { UpdateMemberRequest } from './dto/members.request.dto.js';
import { MemberListResponse, MemberResponse, OrganizationMemberListResponse } from './dto/members.response.dto.js';
import { MembersService } from './members.service.js';
import { toMemberRecord, toOrganizationMember } from './members.wire.js';

@ApiTags('Members')
@Controller()
export class MembersController {
  constructor(private readonly members: MembersService) {}

  @Get('members')
  @Access('management', 'members.read')
  @Operation(
    'listMembers',
    'List members',
    'Returns the users of the account with their roles and programmes, in the order in which they were added.',
  )
  @ApiOkResponse({ type: MemberListResponse, description: 'The members, oldest first' })
  @FailsWith('forbidden')
  async list(@Query() request: MemberPageRequest, @Caller() caller: Principal): Promise<MemberListResponse> {
    const { items, total } = await this.members.page(request, caller);
    return { data: items.map((member) => toMemberRecord(member, caller)), total_count: total };
  }

  @Patch('members/:user_id')
  @Access('management', 'members.write')
  @Operation(
    'updateMember',
    'Change the role of a member',
    "The member's sessions end. Management keys with a role above the new one get the new role. If the new role may " +
      'not have management keys, they are all disabled. A deactivated member becomes active; the keys stay ' +
      'disabled. Returns 403 if the new role is above yours, if the member is above you, or if you change your own ' +
      'role without being an owner; 409 for the last owner.',
  )
  @ApiOkResponse({ type: MemberResponse, description: 'The updated member' })
  @FailsWith('forbidden', 'not_found', 'conflict')
  async update(
    @Param('user_id') userId: string,
    @Body() request: UpdateMemberRequest,
    @Caller() caller: Principal,
  ): Promise<MemberResponse> {
    return { data: toMemberRecord(await this.members.setRole(userId, request, caller), caller) };
  }

  @Delete('members/:user_id')
  @Access('management', 'members.write')
  @Operation(
    'removeMember',
    'Remove a member',
    "Ends the membership: the member's keys are disabled, sessions end, and interns stop. Records, " +
      'budgets and the disks of interns stay.',
  )
  @ApiOkResponse({ type: DeletedResponse, description: 'The user is no longer a member' })
  @FailsWith('forbidden', 'not_found', 'conflict')
  async remove(@Param('user_id') userId: string, @Caller() caller: Principal): Promise<DeletedResponse> {
    await this.members.remove(userId, caller);
    return { deleted: true };
  }

  @Post('members/:user_id/deactivate')
  @HttpCode(200)
  @ReadsBody({ mayBeEmpty: true })
  @Access('management', 'members.write')
  @Operation(
    'deactivateMember',
    'Deactivate a member',
    'Ends all access like a removal, but keeps the member, so that no identity provider adds the user ' +
      'again. Setting a role makes the member active again. Keys stay disabled until they are enabled.',
  )
  @ApiOkResponse({ type: MemberResponse, description: 'The updated member' })
  @FailsWith('forbidden', 'not_found', 'conflict')
  async deactivate(@Param('user_id') userId: string, @Caller() caller: Principal): Promise<MemberResponse> {
    return { data: toMemberRecord(await this.members.deactivate(userId, caller), caller) };
  }

  @Get('organization/members')
  @Access('administration', 'members.read')
  @Operation(
    'listOrganizationMembers',
    'List the members of the organization',
    'Returns the members of the account in the format of the published API, which has only two roles. ' +
      '`GET /members` returns the role in this service, which is one of five.',
  )
  @ApiOkResponse({ type: OrganizationMemberListResponse, description: 'The members, oldest first' })
  @FailsWith()
  async listOfOrganization(
    @Query() request: OffsetPageRequest,
    @Caller() caller: Principal,
  ): Promise<OrganizationMemberListResponse> {
    const { items, total } = await this.members.page(request, caller);
    return { data: items.map((member) => toOrganizationMember(member, caller)), total_count: total };
  }
}
