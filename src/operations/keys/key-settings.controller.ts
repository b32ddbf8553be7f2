import { Body, Controller, Delete, Get, Param, Put } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../../auth/access.decorator.js';
import { Caller } from '../../http/edge/caller.decorator.js';
import { FailsWith } from '../../http/errors/fails-with.decorator.js';
import { RaiseRequest } from '../../http/validation/raise.request.dto.js';
import type { Principal } from '../../kernel/principal.js';
import { UpdateKeySettingsRequest } from './dto/key-settings.request.dto.js';
import { KeySettingsResponse } from './dto/key-settings.response.dto.js';
import { KeySettingsService } from './key-settings.service.js';

@ApiTags('API Keys')
@Controller('keys')
export class KeySettingsController {
  constructor(private readonly settings: KeySettingsService) {}

  @Get(':hash/settings')
  @Access('administration', 'keys.read')
  @ApiOperation({
    operationId: 'getKeySettings',
    summary: 'Get the settings of an API key',
    description:
      'Returns the settings of a key that are not in its record, such as models, rate limits, response ' +
      'cache and export of content.',
  })
  @ApiOkResponse({ type: KeySettingsResponse, description: 'The settings' })
  @FailsWith('not_found')
  async get(@Param('hash') hash: string, @Caller() caller: Principal): Promise<KeySettingsResponse> {
    return { data: await this.settings.get(hash, caller) };
  }

  @Put(':hash/settings')
  @Access('administration', 'keys.write')
  @ApiOperation({
    operationId: 'updateKeySettings',
    summary: 'Update the settings of an API key',
    description:
      'Changes only the given members. The changes take effect on every replica at once, also for the ' +
      'interns of the key.',
  })
  @ApiOkResponse({ type: KeySettingsResponse, description: 'The updated settings' })
  @FailsWith('not_found')
  async put(
    @Param('hash') hash: string,
    @Body() request: UpdateKeySettingsRequest,
    @Caller() caller: Principal,
  ): Promise<KeySettingsResponse> {
    return { data: await this.settings.put(hash, request, caller) };
  }

  @Put(':hash/raise')
  @Access('administration', 'keys.write')
  @ApiOperation({
    operationId: 'raiseKeyLimit',
    summary: 'Raise the limit of an API key temporarily',
    description: 'Adds an amount to the limit until a time. A second raise replaces the first.',
  })
  @ApiOkResponse({ type: KeySettingsResponse, description: 'The updated settings' })
  @FailsWith('not_found')
  async raise(
    @Param('hash') hash: string,
    @Body() request: RaiseRequest,
    @Caller() caller: Principal,
  ): Promise<KeySettingsResponse> {
    return { data: await this.settings.raise(hash, request, caller) };
  }

  @Delete(':hash/raise')
  @Access('administration', 'keys.write')
  @ApiOperation({
    operationId: 'endKeyLimitRaise',
    summary: 'End the raise of the limit of an API key',
    description: 'The original limit applies again.',
  })
  @ApiOkResponse({ type: KeySettingsResponse, description: 'The updated settings' })
  @FailsWith('not_found')
  async endRaise(@Param('hash') hash: string, @Caller() caller: Principal): Promise<KeySettingsResponse> {
    return { data: await this.settings.endRaise(hash, caller) };
  }
}
