import type { ImageModelV4CallOptions } from '@ai-sdk/provider';
import { GatewayError, notFound } from '../../../kernel/errors/errors.js';
import {
  ImageAdapter,
  type GeneratedImage,
  type ImageResponse,
  type ImageCall,
} from '../../ports/image-adapter.port.js';
import { imageTypeOf } from '../../../formats/media/image-type.js';
import { isBase64 } from '../../wire/base64-text.js';
import { badResponse } from '../../../formats/bad-response.js';
import type { SdkCalls } from './sdk-calls.js';

/** Enough base64 characters for every file signature. */
const SNIFFED_CHARACTERS = 64;

/** Images through a vendor's Vercel AI SDK package; never streamed. */
export class SdkImageAdapter extends ImageAdapter {
  readonly name = 'ai-sdk';

  constructor(private readonly calls: SdkCalls) {
    super(calls);
  }

  async generate(call: ImageCall): Promise<ImageResponse> {
    const { vendor, provider } = await this.calls.open(call);
    if (!provider.image) throw notFound(`The package ${call.package} has no images`);
    const options = { ...vendor.options, ...call.options };
    const result = await this.calls.run(call, async () =>
      provider.image!(call.upstreamModel).doGenerate({
        prompt: call.prompt,
        n: call.n,
        size: call.width !== undefined && call.height !== undefined ? `${call.width}x${call.height}` : undefined,
        aspectRatio:
          call.aspectRatio === 'auto' ? undefined : (call.aspectRatio as ImageModelV4CallOptions['aspectRatio']),
        seed: call.seed,
        files:
          call.references.length === 0
            ? undefined
            : call.references.map(({ bytes, mediaType }) => ({ type: 'file', mediaType, data: bytes })),
        mask: undefined,
        providerOptions: { [vendor.optionsKey]: options as never },
        abortSignal: call.signal,
      }),
    );
    const { usage } = result;
    return {
      images: (result.images as (string | Uint8Array)[]).map(imageOf),
      ...(usage
        ? { usage: { promptTokens: counted(usage.inputTokens), completionTokens: counted(usage.outputTokens) } }
        : {}),
    };
  }
}

/** Returns undefined for 0, because packages report a missing count as 0, and a picture always has tokens. */
const counted = (tokens: number | undefined): number | undefined => tokens || undefined;

function imageOf(image: string | Uint8Array): GeneratedImage {
  if (typeof image === 'string' && !isBase64(image)) throw badResponse('holds a picture that is not base64');
  const b64 =
    typeof image === 'string'
      ? image
      : Buffer.from(image.buffer, image.byteOffset, image.byteLength).toString('base64');
  const mediaType = imageTypeOf(Buffer.from(b64.slice(0, SNIFFED_CHARACTERS), 'base64'));
  if (!mediaType) throw new GatewayError('provider_failed', 'The provider returned something that is not a picture');
  return { b64, mediaType };
}
