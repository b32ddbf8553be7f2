import { Body, Controller, Get, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiExtraModels, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Access } from '../../auth/access.decorator.js';
import type { AuthenticatedRequest } from '../../auth/authenticated-request.js';
import { formFiles } from '../../http/body/body-reader.guard.js';
import { Operation } from '../../http/openapi/operation.decorator.js';
import { CallContext } from '../../text-edge/call-context.js';
import { CallHeaders } from '../../text-edge/session-budget.js';
import { FastPath } from '../../http/edge/fast-path.decorator.js';
import { FailsWith, INFERENCE_FAILURES } from '../../http/errors/fails-with.decorator.js';
import { ReadsBody } from '../../http/body/reads-body.decorator.js';
import { sendBytes } from '../../http/reply/send-bytes.js';
import { CompatibleImageRequest, ImageEditForm } from './dto/compatible-image.request.dto.js';
import { ImageGenerationRequest } from './dto/image-generation.request.dto.js';
import { CompatibleImageResponse, ImageGenerationResponse } from './dto/image-generation.response.dto.js';
import { imagesOrEvents } from './images.documentation.js';
import { replyWithImages } from './images.reply.js';
import { fromImageEditForm, toLinkHeaders } from './images.wire.js';
import { ImagesService } from './images.service.js';

const BINARY = { schema: { type: 'string', format: 'binary' } } as const;

@ApiTags('Images')
@ApiExtraModels(ImageGenerationResponse, CompatibleImageResponse)
@Controller('images')
export class ImagesController {
  constructor(private readonly images: ImagesService) {}

  @Post()
  @FastPath()
  @HttpCode(200)
  @Access('images', 'inference')
  @ReadsBody({ cap: (config) => config.values.IMAGE_BODY_LIMIT_BYTES })
  @CallHeaders()
  @Operation('createImages', 'Generate an image', 'Generates images from a text prompt.')
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

  @Post('generations')
  @FastPath()
  @HttpCode(200)
  @Access('images', 'inference')
  @ReadsBody({ cap: (config) => config.values.IMAGE_BODY_LIMIT_BYTES })
  @CallHeaders()
  @Operation(
    'createCompatibleImages',
    'Generate an image with the request of plain OpenAI clients',
    'Accepts the image request of plain OpenAI clients. The response is the same as for POST /images.',
  )
  @ApiOkResponse(imagesOrEvents(CompatibleImageResponse))
  @FailsWith(...INFERENCE_FAILURES)
  generateCompatibly(
    @Body() body: CompatibleImageRequest,
    @Req() request: Request & AuthenticatedRequest,
    @Res() response: Response,
  ): Promise<void> {
    const context = new CallContext(request, response, body, 'media');
    const { host } = request.headers;
    return replyWithImages(response, body.stream === true, (sink) =>
      this.images.generateCompatibly(body, undefined, context, { host, sink }),
    );
  }

  @Post('edits')
  @FastPath()
  @HttpCode(200)
  @Access('images', 'inference')
  @ReadsBody({ cap: (config) => config.values.IMAGE_BODY_LIMIT_BYTES, fromForm: fromImageEditForm })
  @CallHeaders()
  @Operation(
    'editCompatibleImages',
    'Edit an image with the form of plain OpenAI clients',
    'Accepts the form with which plain OpenAI clients edit images, or generate images from others. A mask ' +
      'is refused.',
  )
  @ApiConsumes('multipart/form-data')
  @ApiBody({ type: ImageEditForm })
  @ApiOkResponse(imagesOrEvents(CompatibleImageResponse, 'image_edit'))
  @FailsWith(...INFERENCE_FAILURES)
  edit(
    @Body() body: CompatibleImageRequest,
    @Req() request: Request & AuthenticatedRequest,
    @Res() response: Response,
  ): Promise<void> {
    const context = new CallContext(request, response, body, 'media');
    const { host } = request.headers;
    return replyWithImages(
      response,
      body.stream === true,
      (sink) => this.images.generateCompatibly(body, formFiles(request) ?? [], context, { host, sink }),
      'image_edit',
    );
  }

  @Get('links/:name')
  @Access('public')
  @Operation(
    'getLinkedImage',
    'Get an image that was requested with response_format url',
    'Returns an image that was requested with response_format url. No key is needed: the name cannot be guessed.',
  )
  @ApiOkResponse({ description: 'The image', content: { 'image/*': BINARY, 'application/octet-stream': BINARY } })
  @FailsWith('not_found')
  async link(@Param('name') name: string, @Res() response: Response): Promise<void> {
    const image = await this.images.linkedImage(name);
    response.set(toLinkHeaders(image));
    await sendBytes(response, image.bytes);
  }
}
