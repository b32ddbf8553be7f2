import { Body, Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiBody, ApiExtraModels, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Access } from '../../auth/access.decorator.js';
import type { AuthenticatedRequest } from '../../auth/authenticated-request.js';
import { CallContext } from '../../text-edge/call-context.js';
import { CallHeaders } from '../../text-edge/session-budget.js';
import { FastPath } from '../../http/edge/fast-path.decorator.js';
import { FailsWith, INFERENCE_FAILURES } from '../../http/errors/fails-with.decorator.js';
import { ReadsBody } from '../../http/body/reads-body.decorator.js';
import { IMAGE_EXAMPLES, ImageGenerationRequest } from './dto/image-generation.request.dto.js';
import { ImageGenerationResponse } from './dto/image-generation.response.dto.js';
import { imagesOrEvents } from './images.documentation.js';
import { replyWithImages } from './images.reply.js';
import { ImagesService } from './images.service.js';

@ApiTags('Images')
@ApiExtraModels(ImageGenerationResponse)
@Controller('images')
export class ImagesController {
  constructor(private readonly images: ImagesService) {}

  @Post()
  @FastPath()
  @HttpCode(200)
  @Access('images', 'inference')
  @ReadsBody({ cap: (config) => config.values.IMAGE_BODY_LIMIT_BYTES })
  @CallHeaders()
  @ApiOperation({
    operationId: 'createImages',
    summary: 'Generate an image',
    description: 'Generates images from a text prompt.',
  })
  @ApiBody({ type: ImageGenerationRequest, examples: IMAGE_EXAMPLES })
  @ApiOkResponse(imagesOrEvents(ImageGenerationResponse))
  @FailsWith(...INFERENCE_FAILURES)
  generate(
    @Body() body: ImageGenerationRequest,
    @Req() request: Request & AuthenticatedRequest,
    @Res() response: Response,
  ): Promise<void> {
    const context = new CallContext(request, response, body, 'media');
    return replyWithImages(response, body.stream === true, (sink) => this.images.generate(body, context, sink));
  }
}
