import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Access } from '../../auth/access.decorator.js';
import { Caller } from '../../http/edge/caller.decorator.js';
import { FailsWith } from '../../http/errors/fails-with.decorator.js';
import { Operation } from '../../http/openapi/operation.decorator.js';
import type { Principal } from '../../kernel/principal.js';
import { AuditService } from './audit.service.js';
import { toAuditList } from './audit.wire.js';
import { ListAuditRequest } from './dto/audit.request.dto.js';
import { AuditListResponse } from './dto/audit.response.dto.js';

@ApiTags('Audit')
@Access('management', 'audit.read')
@Controller('audit')
export class AuditController {
  constructor(private readonly audit: AuditService) {}

  @Get()
  @Operation(
    'listAuditEntries',
    'List audit entries',
    'Returns every management operation of the account and every use of its secrets, newest first, with ' +
      'actor, time and address.',
  )
  @ApiOkResponse({ type: AuditListResponse, description: 'A page of entries, newest first' })
  @FailsWith('forbidden')
  async list(@Query() request: ListAuditRequest, @Caller() caller: Principal): Promise<AuditListResponse> {
    return toAuditList(await this.audit.list(request, caller), request.with_changes ?? false);
  }
}
