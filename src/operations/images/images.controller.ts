import { Body, Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import {
  ApiBody,
  ApiExtraModels,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  getSchemaPath,
  type ApiResponseOptions,
} from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Access } from '../../auth/access.decorator.js';
import type { AuthenticatedRequest } from '../../auth/authenticated-request.js';
import { CallContext } from '../../http/call-context.js';
import { FailsWith } from '../../http/fails-with.decorator.js';
import { GENERATION_ID_HEADER } from '../../http/generation-id.header.js';
import { ReadsBody } from '../../http/reads-body.decorator.js';
import { COMPATIBLE_IMAGE_EXAMPLES, IMAGE_EXAMPLES } from './dto/image.examples.js';
import { CompatibleImageRequest } from './dto/compatible-image.request.dto.js';
import { ImageGenerationRequest } from './dto/image-generation.request.dto.js';
import { ImageGenerationResponse } from './dto/image-generation.response.dto.js';
import { replyWithImages } from './images.reply.js';
import { fromCompatibleRequest } from './images.wire.js';
import { ImagesService } from './images.service.js';

const IMAGES_OR_EVENTS: ApiResponseOptions = {
  description: 'The images, or a stream of server-sent events where asked for and the provider streams',
  headers: GENERATION_ID_HEADER,
  content: {
    'application/json': { schema: { $ref: getSchemaPath(ImageGenerationResponse) } },
    'text/event-stream': { schema: { type: 'string' } },
  },
};

@ApiTags('Images')
@ApiExtraModels(ImageGenerationResponse)
@Controller('images')
export class ImagesController {
  constructor(private readonly images: ImagesService) {}

  /** Generates images from a text prompt. */
  @Post()
  @HttpCode(200)
  @Access('images')
  @ReadsBody({ cap: (config) => config.values.IMAGE_BODY_LIMIT_BYTES })
  @ApiOperation({ operationId: 'createImages', summary: 'Generate an image' })
  @ApiBody({ type: ImageGenerationRequest, examples: IMAGE_EXAMPLES })
  @ApiOkResponse(IMAGES_OR_EVENTS)
  @FailsWith(
    'insufficient_credits',
    'forbidden',
    'not_found',
    'provider_failed',
    'provider_timeout',
    'provider_overloaded',
  )
  generate(
    @Body() body: ImageGenerationRequest,
    @Req() request: Request & AuthenticatedRequest,
    @Res() response: Response,
  ): Promise<void> {
    const context = new CallContext(request, response, request.principal!, body.user);
    return replyWithImages(response, body.stream === true, (sink) => this.images.generate(body, context, sink));
  }

  /** Generates images for plain OpenAI clients: their request, the same answer. */
  @Post('generations')
  @HttpCode(200)
  @Access('images')
  @ReadsBody({ cap: (config) => config.values.IMAGE_BODY_LIMIT_BYTES })
  @ApiOperation({
    operationId: 'createCompatibleImages',
    summary: 'Generate an image by the request of plain OpenAI clients',
  })
  @ApiBody({ type: CompatibleImageRequest, examples: COMPATIBLE_IMAGE_EXAMPLES })
  @ApiOkResponse(IMAGES_OR_EVENTS)
  @FailsWith(
    'insufficient_credits',
    'forbidden',
    'not_found',
    'provider_failed',
    'provider_timeout',
    'provider_overloaded',
  )
  generateCompatibly(
    @Body() body: CompatibleImageRequest,
    @Req() request: Request & AuthenticatedRequest,
    @Res() response: Response,
  ): Promise<void> {
    const context = new CallContext(request, response, request.principal!, body.user ?? undefined);
    return replyWithImages(response, body.stream === true, (sink) =>
      this.images.generate(fromCompatibleRequest(body), context, sink),
    );
  }
}
