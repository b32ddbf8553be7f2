import { Injectable } from '@nestjs/common';
import { ImageLinks, type LinkedImage } from '../../files/image-links.js';
import { API_PREFIX } from '../../http/edge/configure-server.js';
import type { FormFile } from '../../http/body/held-form.js';
import { PublicAddress } from '../../http/edge/service-address.js';
import { decodedImage, mediaTypeOf } from '../../inference/images/decoded-image.js';
import { ImageInference, type ImageResult, type PreviewSink } from '../../inference/capabilities/image.js';
import type { InferenceContext } from '../../inference/task.js';
import { invalidRequest, notFound } from '../../kernel/errors/errors.js';
import type { CompatibleImageRequest } from './dto/compatible-image.request.dto.js';
import type { ImageGenerationRequest } from './dto/image-generation.request.dto.js';
import {
  fromCompatibleRequest,
  referencesOf,
  referencesOfForm,
  toImageRequest,
  type LinkedImageResult,
} from './images.wire.js';

/** How the images of a response are delivered. */
interface ImageDelivery {
  /** The Host header of the request, for URLs. */
  readonly host: string | undefined;
  /** Set if the caller requested a stream. */
  readonly sink?: PreviewSink;
}

/** Implements the operations of this API group, in the order of the specification. */
@Injectable()
export class ImagesService {
  constructor(
    private readonly inference: ImageInference,
    private readonly links: ImageLinks,
    private readonly address: PublicAddress,
  ) {}

  async generate(request: ImageGenerationRequest, context: InferenceContext, sink?: PreviewSink): Promise<ImageResult> {
    return this.inference.generate(toImageRequest(request, await referencesOf(request)), context, sink);
  }

  /** For plain OpenAI clients. `files`: the files of a request to edit images. */
  async generateCompatibly(
    request: CompatibleImageRequest,
    files: readonly FormFile[] | undefined,
    context: InferenceContext,
    { host, sink }: ImageDelivery,
  ): Promise<LinkedImageResult> {
    const references = files ? referencesOfForm(files) : [];
    const wantsUrls = request.response_format === 'url';
    if (wantsUrls && sink) throw invalidRequest('response_format must be b64_json if stream is true');
    if (wantsUrls) await this.links.assertRoom();
    const image = toImageRequest(fromCompatibleRequest(request), references);
    const result = await this.inference.generate(image, context, sink);
    return wantsUrls ? { ...result, urls: await this.#urlsOf(result, this.address.of(host)) } : result;
  }

  async linkedImage(name: string): Promise<LinkedImage> {
    const image = await this.links.open(name);
    if (!image) throw notFound('No image has this URL, or the URL has expired');
    return image;
  }

  /**
   * Stores the images and returns their URLs. An image that cannot be stored has no URL (undefined) and is sent in the
   * response, because the call has been billed.
   */
  #urlsOf({ content: { images } }: ImageResult, base: string): Promise<(string | undefined)[]> {
    return Promise.all(
      images.map(async ({ b64, mediaType }) => {
        const name = await this.links.keep(decodedImage(b64), mediaTypeOf(b64) ?? mediaType);
        return name && `${base}/${API_PREFIX}/images/links/${name}`;
      }),
    );
  }
}
