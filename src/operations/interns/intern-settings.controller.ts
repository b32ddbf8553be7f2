import { Body, Controller, Get, Param, Put, UseGuards, UseInterceptors } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Access } from '../../auth/access.decorator.js';
import { Caller } from '../../http/edge/caller.decorator.js';
import { GroupBodyReaderGuard } from '../../http/body/body-reader.guard.js';
import { FailsWith } from '../../http/errors/fails-with.decorator.js';
import { ReadsBody } from '../../http/body/reads-body.decorator.js';
import { Operation } from '../../http/openapi/operation.decorator.js';
import { Interns } from '../../interns/interns.js';
import type { Principal } from '../../kernel/principal.js';
import { DeadlineInterceptor } from './deadline.interceptor.js';
import { InternSettingsRequest } from './dto/intern-settings.request.dto.js';
import { InternSettingsResponse } from './dto/intern-settings.response.dto.js';
import { InternErrors } from './intern-errors.js';
import { INTERN_BODY, InternRoute } from './intern-route.decorator.js';
import { toActor, toSettings, toSettingsRecord } from './interns.wire.js';
import { ProgrammeGuard } from './programme.guard.js';

@ApiTags('Interns')
@Access('interns', 'interns')
@UseGuards(ProgrammeGuard, GroupBodyReaderGuard)
@InternErrors()
@UseInterceptors(DeadlineInterceptor)
@Controller('interns/:id/settings')
export class InternSettingsController {
  constructor(private readonly interns: Interns) {}

  @Get()
  @InternRoute({ writes: false })
  @Operation(
    'getInternSettings',
    'Get the settings of an intern',
    'Returns the settings of an intern that are not in its record.',
  )
  @ApiOkResponse({ type: InternSettingsResponse, description: 'The settings' })
  @FailsWith('forbidden', 'not_found', 'deadline_exceeded')
  async get(@Param('id') id: string, @Caller() caller: Principal): Promise<InternSettingsResponse> {
    return { data: toSettingsRecord(await this.interns.settingsOf(toActor(caller), id)) };
  }

  @Put()
  @InternRoute({ writes: true })
  @ReadsBody(INTERN_BODY)
  @Operation(
    'replaceInternSettings',
    'Replace the settings of an intern',
    'Replaces all settings. They take effect at once, also for a running intern.',
  )
  @ApiOkResponse({ type: InternSettingsResponse, description: 'The updated settings' })
  @FailsWith('forbidden', 'not_found', 'deadline_exceeded', 'conflict', 'unsupported_media_type')
  async replace(
    @Param('id') id: string,
    @Body() request: InternSettingsRequest,
    @Caller() caller: Principal,
  ): Promise<InternSettingsResponse> {
    const settings = await this.interns.replaceSettings(toActor(caller), id, toSettings(request));
    return { data: toSettingsRecord(settings) };
  }
}
