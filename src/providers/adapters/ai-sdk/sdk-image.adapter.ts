import type { ImageModelV4CallOptions } from '@ai-sdk/provider';
import { GatewayError } from '../../../kernel/errors.js';
import { ImageAdapter, type GeneratedImage, type ImageAnswer, type ImageCall } from '../../spec/image-adapter.port.js';
import { imageTypeOf } from '../../spec/image-type.js';
import type { SdkCalls } from './sdk-calls.js';

/** Enough base64 for every signature. */
const SNIFFED_CHARACTERS = 64;

/** Pictures through a vendor's package of the Vercel AI SDK, whole and never streamed. */
export class SdkImageAdapter extends ImageAdapter {
  readonly name = 'ai-sdk';

  constructor(private readonly calls: SdkCalls) {
    super();
  }

  async generate(call: ImageCall): Promise<ImageAnswer> {
    const { vendor, provider } = await this.calls.open(call, 'provider_failed');
    if (!provider.image) throw new GatewayError('provider_failed', `The package ${call.package} makes no images`);
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
    if (call.needsUsage && usage?.outputTokens === undefined)
      throw new GatewayError(
        'provider_failed',
        "The provider's answer does not say what was used, by which it is priced",
      );
    return {
      images: (result.images as (string | Uint8Array)[]).map(imageOf),
      ...(usage
        ? {
            usage: {
              promptTokens: usage.inputTokens,
              completionTokens: usage.outputTokens,
              totalTokens: usage.totalTokens,
            },
          }
        : {}),
    };
  }
}

function imageOf(image: string | Uint8Array): GeneratedImage {
  const b64 =
    typeof image === 'string'
      ? image
      : Buffer.from(image.buffer, image.byteOffset, image.byteLength).toString('base64');
  const mediaType = imageTypeOf(Buffer.from(b64.slice(0, SNIFFED_CHARACTERS), 'base64'));
  if (!mediaType) throw new GatewayError('provider_failed', 'The provider answered with something that is no picture');
  return { b64, mediaType };
}
