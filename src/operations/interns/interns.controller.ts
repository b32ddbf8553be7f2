import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Param,
  Patch,
  Post,
  Query,
  Res,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import { ApiAcceptedResponse, ApiBody, ApiCreatedResponse, ApiHeader, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Access } from '../../auth/access.decorator.js';
import { Caller } from '../../http/edge/caller.decorator.js';
import { Config } from '../../config/config.js';
import { GroupBodyReaderGuard } from '../../http/body/body-reader.guard.js';
import { FailsWith } from '../../http/errors/fails-with.decorator.js';
import { ReadsBody } from '../../http/body/reads-body.decorator.js';
import { Operation } from '../../http/openapi/operation.decorator.js';
import type { Principal } from '../../kernel/principal.js';
import { DeadlineInterceptor, WaitUntil } from './deadline.interceptor.js';
import { CreateInternRequest } from './dto/create-intern.request.dto.js';
import { DeleteInternRequest, NoFieldsRequest } from './dto/intern-command.request.dto.js';
import {
  DeletingResponse,
  InternListResponse,
  InternResponse,
  ProvisioningResponse,
  SuspendedResponse,
} from './dto/intern.response.dto.js';
import { ListInternsRequest } from './dto/list-interns.request.dto.js';
import { UpdateInternRequest } from './dto/update-intern.request.dto.js';
import { IdempotencyKey, checkIdempotencyKey } from './idempotency-key.js';
import { InternErrors } from './intern-errors.js';
import { INTERN_BODY, InternRoute } from './intern-route.decorator.js';
import { ProgrammeGuard } from './programme.guard.js';
import { InternsService } from './interns.service.js';
import { toInternList, toInternResponse } from './interns.wire.js';

@ApiTags('Interns')
@Access('interns', 'interns')
@UseGuards(ProgrammeGuard, GroupBodyReaderGuard)
@InternErrors()
@UseInterceptors(DeadlineInterceptor)
@Controller('interns')
export class InternsController {
  constructor(
    private readonly interns: InternsService,
    private readonly config: Config,
  ) {}

  @Get()
  @InternRoute({ writes: false })
  @Operation('listInterns', 'List interns', 'Returns your interns in the workspace of the key, newest first.')
  @ApiOkResponse({ type: InternListResponse, description: 'A page of interns' })
  @FailsWith('forbidden', 'not_found', 'deadline_exceeded')
  async list(@Query() request: ListInternsRequest, @Caller() caller: Principal): Promise<InternListResponse> {
    return toInternList(await this.interns.list(request, caller), this.config.values.WIRE_DIALECT);
  }

  @Post()
  @InternRoute({ writes: true, needsCapability: true })
  @ReadsBody({ ...INTERN_BODY, checkHeaders: checkIdempotencyKey })
  @Operation(
    'createIntern',
    'Create an intern',
    'Creates an intern with its private vault. A repeated request returns 200 with the current state of ' +
      'the intern, or resumes unfinished work. If the first request is still running, the repeated one ' +
      'waits for it.',
  )
  @ApiHeader({
    name: 'Idempotency-Key',
    required: false,
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    description: 'Absent: derived from the request.',
  })
  @ApiCreatedResponse({ type: InternResponse, description: 'The new intern' })
  @ApiOkResponse({ type: InternResponse, description: 'The current state of the intern that the same request created' })
  @FailsWith('forbidden', 'not_found', 'deadline_exceeded', 'conflict', 'unsupported_media_type', 'provider_failed')
  async create(
    @Body() request: CreateInternRequest,
    @IdempotencyKey() key: string | undefined,
    @WaitUntil() waitUntil: number,
    @Caller() caller: Principal,
    @Res({ passthrough: true }) response: Response,
  ): Promise<InternResponse> {
    const { intern, isNew } = await this.interns.create(request, { key, waitUntil }, caller);
    response.status(isNew ? 201 : 200);
    return toInternResponse(intern, this.config.values.WIRE_DIALECT);
  }

  @Get(':id')
  @Access('own-intern', 'interns')
  @InternRoute({ writes: false })
  @Operation('getIntern', 'Get an intern', "Returns one intern. An intern's own key can read only that intern.")
  @ApiOkResponse({ type: InternResponse, description: 'The intern' })
  @FailsWith('forbidden', 'not_found', 'deadline_exceeded')
  async get(@Param('id') id: string, @Caller() caller: Principal): Promise<InternResponse> {
    return toInternResponse(await this.interns.get(id, caller), this.config.values.WIRE_DIALECT);
  }

  @Patch(':id')
  @InternRoute({ writes: true })
  @ReadsBody(INTERN_BODY)
  @Operation('updateIntern', 'Update an intern', 'Changes name, description, instructions or model.')
  @ApiOkResponse({ type: InternResponse, description: 'The updated intern' })
  @FailsWith('forbidden', 'not_found', 'deadline_exceeded', 'conflict', 'unsupported_media_type')
  async update(
    @Param('id') id: string,
    @Body() request: UpdateInternRequest,
    @Caller() caller: Principal,
  ): Promise<InternResponse> {
    return toInternResponse(await this.interns.update(id, request, caller), this.config.values.WIRE_DIALECT);
  }

  @Delete(':id')
  @HttpCode(202)
  @InternRoute({ writes: true })
  @ReadsBody({ ...INTERN_BODY, mayBeEmpty: true })
  @Operation(
    'deleteIntern',
    'Delete an intern',
    'Starts the teardown of the intern, its runtime, its disk and its private vault.',
  )
  @ApiBody({ type: DeleteInternRequest, required: false })
  @ApiAcceptedResponse({
    type: DeletingResponse,
    description: 'The teardown has started. When it ends, requests for the intern return 404',
  })
  @FailsWith('forbidden', 'not_found', 'deadline_exceeded', 'conflict', 'unsupported_media_type')
  async delete(
    @Param('id') id: string,
    @Body() request: DeleteInternRequest,
    @Caller() caller: Principal,
  ): Promise<DeletingResponse> {
    await this.interns.delete(id, request.acknowledge_workspace_loss ?? false, caller);
    return { deleting: true };
  }

  @Post(':id/provision')
  @HttpCode(202)
  @InternRoute({ writes: true, needsCapability: true })
  @ReadsBody({ ...INTERN_BODY, mayBeEmpty: true })
  @Operation(
    'provisionIntern',
    'Provision an intern',
    'Starts the intern for the first time, or after a suspension. The request has no body.',
  )
  @ApiBody({ type: NoFieldsRequest, required: false })
  @ApiAcceptedResponse({
    type: ProvisioningResponse,
    description: 'The intern is being provisioned, or is already running',
  })
  @FailsWith('forbidden', 'not_found', 'deadline_exceeded', 'conflict', 'unsupported_media_type')
  async provision(
    @Param('id') id: string,
    @Body() _none: NoFieldsRequest,
    @Caller() caller: Principal,
  ): Promise<ProvisioningResponse> {
    await this.interns.provision(id, caller);
    return { provisioning: true };
  }

  @Post(':id/suspend')
  @HttpCode(200)
  @InternRoute({ writes: true })
  @ReadsBody({ ...INTERN_BODY, mayBeEmpty: true })
  @Operation(
    'suspendIntern',
    'Suspend an intern',
    'Stops the runtime. The disk and the configuration stay for a later provision call. The request has no body.',
  )
  @ApiBody({ type: NoFieldsRequest, required: false })
  @ApiOkResponse({ type: SuspendedResponse, description: 'The intern is stopped' })
  @FailsWith('forbidden', 'not_found', 'deadline_exceeded', 'conflict', 'unsupported_media_type')
  async suspend(
    @Param('id') id: string,
    @Body() _none: NoFieldsRequest,
    @Caller() caller: Principal,
  ): Promise<SuspendedResponse> {
    await this.interns.suspend(id, caller);
    return { suspended: true };
  }
}
