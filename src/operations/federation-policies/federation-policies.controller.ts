import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Access } from '../../auth/access.decorator.js';
import { Caller } from '../../http/edge/caller.decorator.js';
import { FailsWith } from '../../http/errors/fails-with.decorator.js';
import { Operation } from '../../http/openapi/operation.decorator.js';
import { DeletedResponse } from '../../http/reply/deleted.response.dto.js';
import { OffsetPageRequest } from '../../http/validation/offset-page.request.dto.js';
import type { Principal } from '../../kernel/principal.js';
import { CreateFederationPolicyRequest, UpdateFederationPolicyRequest } from './dto/federation-policy.request.dto.js';
import { FederationPolicyListResponse, FederationPolicyResponse } from './dto/federation-policy.response.dto.js';
import { FederationPoliciesService } from './federation-policies.service.js';
import { toPolicyRecord } from './federation-policies.wire.js';

@ApiTags('Federation policies')
@Controller('federation-policies')
export class FederationPoliciesController {
  constructor(private readonly policies: FederationPoliciesService) {}

  @Get()
  @Access('management', 'identity.read')
  @Operation('listFederationPolicies', 'List federation policies', 'Returns the policies of the account.')
  @ApiOkResponse({ type: FederationPolicyListResponse, description: 'The policies, oldest first' })
  @FailsWith('forbidden')
  async list(@Query() request: OffsetPageRequest, @Caller() caller: Principal): Promise<FederationPolicyListResponse> {
    const { items, total } = await this.policies.list(request, caller);
    return { data: items.map(toPolicyRecord), total_count: total };
  }

  @Post()
  @Access('management', 'identity.write')
  @Operation(
    'createFederationPolicy',
    'Create a federation policy',
    'Tokens of the issuer that have exactly this subject and this audience can be exchanged at POST /oauth/token. ' +
      'The result acts as the API key.',
  )
  @ApiCreatedResponse({ type: FederationPolicyResponse, description: 'The policy' })
  @FailsWith('forbidden', 'conflict')
  async create(
    @Body() request: CreateFederationPolicyRequest,
    @Caller() caller: Principal,
  ): Promise<FederationPolicyResponse> {
    return { data: toPolicyRecord(await this.policies.create(request, caller)) };
  }

  @Get(':id')
  @Access('management', 'identity.read')
  @Operation('getFederationPolicy', 'Get a federation policy', 'Returns one policy.')
  @ApiOkResponse({ type: FederationPolicyResponse, description: 'The policy' })
  @FailsWith('forbidden', 'not_found')
  async get(@Param('id') id: string, @Caller() caller: Principal): Promise<FederationPolicyResponse> {
    return { data: toPolicyRecord(await this.policies.get(id, caller)) };
  }

  @Patch(':id')
  @Access('management', 'identity.write')
  @Operation(
    'updateFederationPolicy',
    'Enable or disable a federation policy',
    'A disabled policy accepts no tokens, and the access tokens that it issued are refused on every replica.',
  )
  @ApiOkResponse({ type: FederationPolicyResponse, description: 'The updated policy' })
  @FailsWith('forbidden', 'not_found')
  async update(
    @Param('id') id: string,
    @Body() { disabled }: UpdateFederationPolicyRequest,
    @Caller() caller: Principal,
  ): Promise<FederationPolicyResponse> {
    return { data: toPolicyRecord(await this.policies.setDisabled(id, disabled, caller)) };
  }

  @Delete(':id')
  @Access('management', 'identity.write')
  @Operation(
    'deleteFederationPolicy',
    'Delete a federation policy',
    'Deletes a policy. The access tokens that it issued are refused on every replica.',
  )
  @ApiOkResponse({ type: DeletedResponse, description: 'Deleted' })
  @FailsWith('forbidden', 'not_found')
  async delete(@Param('id') id: string, @Caller() caller: Principal): Promise<DeletedResponse> {
    await this.policies.delete(id, caller);
    return { deleted: true };
  }
}
