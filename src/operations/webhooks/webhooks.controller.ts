import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Access } from '../../auth/access.decorator.js';
import { Caller } from '../../http/edge/caller.decorator.js';
import { FailsWith } from '../../http/errors/fails-with.decorator.js';
import { ReadsBody } from '../../http/body/reads-body.decorator.js';
import { Operation } from '../../http/openapi/operation.decorator.js';
import { DeletedResponse } from '../../http/reply/deleted.response.dto.js';
import { OffsetPageRequest } from '../../http/validation/offset-page.request.dto.js';
import type { Principal } from '../../kernel/principal.js';
import { CreateWebhookRequest, UpdateWebhookRequest } from './dto/webhook.request.dto.js';
import {
  DeliveryListResponse,
  DeliveryResponse,
  WebhookListResponse,
  WebhookResponse,
  WebhookSecretResponse,
} from './dto/webhook.response.dto.js';
import { WebhooksService } from './webhooks.service.js';
import { toDeliveryRecord, toWebhookRecord } from './webhooks.wire.js';

@ApiTags('Webhooks')
@Access('management', 'webhooks')
@Controller('webhooks')
export class WebhooksController {
  constructor(private readonly webhooks: WebhooksService) {}

  @Get()
  @Operation('listWebhooks', 'List webhooks', 'Returns the webhooks of the account.')
  @ApiOkResponse({ type: WebhookListResponse, description: 'The webhooks, oldest first' })
  @FailsWith('forbidden')
  async list(@Query() request: OffsetPageRequest, @Caller() caller: Principal): Promise<WebhookListResponse> {
    const { items, total } = await this.webhooks.list(request, caller);
    return { data: items.map(toWebhookRecord), total_count: total };
  }

  @Post()
  @Operation(
    'createWebhook',
    'Create a webhook',
    'Creates a webhook. Only the responses of this operation and of a rotation contain its secret.',
  )
  @ApiCreatedResponse({ type: WebhookSecretResponse, description: 'The webhook, with its secret' })
  @FailsWith('forbidden', 'conflict')
  async create(@Body() request: CreateWebhookRequest, @Caller() caller: Principal): Promise<WebhookSecretResponse> {
    const { webhook, secret } = await this.webhooks.create(request, caller);
    return { data: toWebhookRecord(webhook), secret: secret?.reveal() ?? null };
  }

  @Get(':id')
  @Operation('getWebhook', 'Get a webhook', 'Returns one webhook.')
  @ApiOkResponse({ type: WebhookResponse, description: 'The webhook' })
  @FailsWith('forbidden', 'not_found')
  async get(@Param('id') id: string, @Caller() caller: Principal): Promise<WebhookResponse> {
    return { data: toWebhookRecord(await this.webhooks.get(id, caller)) };
  }

  @Patch(':id')
  @Operation('updateWebhook', 'Update a webhook', 'Changes only the given members.')
  @ApiOkResponse({ type: WebhookResponse, description: 'The updated webhook' })
  @FailsWith('forbidden', 'not_found', 'conflict')
  async update(
    @Param('id') id: string,
    @Body() request: UpdateWebhookRequest,
    @Caller() caller: Principal,
  ): Promise<WebhookResponse> {
    return { data: toWebhookRecord(await this.webhooks.update(id, request, caller)) };
  }

  @Delete(':id')
  @Operation('deleteWebhook', 'Delete a webhook', 'Deletes a webhook and its deliveries, including due ones.')
  @ApiOkResponse({ type: DeletedResponse, description: 'Deleted' })
  @FailsWith('forbidden', 'not_found')
  async delete(@Param('id') id: string, @Caller() caller: Principal): Promise<DeletedResponse> {
    await this.webhooks.delete(id, caller);
    return { deleted: true };
  }

  @Post(':id/test')
  @HttpCode(200)
  @ReadsBody({ mayBeEmpty: true })
  @Operation(
    'testWebhook',
    'Send a test event',
    'Sends an event of the type webhook.test at once, even to a disabled webhook, and waits for the response.',
  )
  @ApiOkResponse({ type: DeliveryResponse, description: 'The outcome of the attempt, which is not repeated' })
  @FailsWith('forbidden', 'not_found')
  async test(@Param('id') id: string, @Caller() caller: Principal): Promise<DeliveryResponse> {
    return { data: toDeliveryRecord(await this.webhooks.test(id, caller)) };
  }

  @Post(':id/rotate')
  @HttpCode(200)
  @ReadsBody({ mayBeEmpty: true })
  @Operation(
    'rotateWebhook',
    'Rotate the secret of a webhook',
    'Replaces the secret. For 24 hours, deliveries are also signed with the previous secret. Formats for ' +
      'chats and e-mail have no secret.',
  )
  @ApiOkResponse({ type: WebhookSecretResponse, description: 'The webhook, with its new secret' })
  @FailsWith('forbidden', 'not_found', 'conflict')
  async rotate(@Param('id') id: string, @Caller() caller: Principal): Promise<WebhookSecretResponse> {
    const { webhook, secret } = await this.webhooks.rotate(id, caller);
    return { data: toWebhookRecord(webhook), secret: secret?.reveal() ?? null };
  }

  @Get(':id/deliveries')
  @Operation(
    'listWebhookDeliveries',
    'List the deliveries of a webhook',
    'Returns the deliveries of the last 30 days, without bodies.',
  )
  @ApiOkResponse({ type: DeliveryListResponse, description: 'The deliveries, newest first' })
  @FailsWith('forbidden', 'not_found')
  async deliveries(
    @Param('id') id: string,
    @Query() request: OffsetPageRequest,
    @Caller() caller: Principal,
  ): Promise<DeliveryListResponse> {
    const { items, total } = await this.webhooks.deliveries(id, request, caller);
    return { data: items.map(toDeliveryRecord), total_count: total };
  }

  @Post(':id/deliveries/:delivery_id/resend')
  @HttpCode(200)
  @ReadsBody({ mayBeEmpty: true })
  @Operation(
    'resendWebhookDelivery',
    'Resend a delivery',
    'Sends a delivery now, even if it has already succeeded or failed, under the same event id, and retries it ' +
      'like a new one. The response does not wait for the attempt.',
  )
  @ApiOkResponse({ type: DeliveryResponse, description: 'The pending delivery' })
  @FailsWith('forbidden', 'not_found', 'conflict')
  async resend(
    @Param('id') id: string,
    @Param('delivery_id') deliveryId: string,
    @Caller() caller: Principal,
  ): Promise<DeliveryResponse> {
    return { data: toDeliveryRecord(await this.webhooks.resend(id, deliveryId, caller)) };
  }
}
