import { notFound } from '../../../kernel/errors/errors.js';
import { SpeechAdapter, type SpeechResponse, type SpeechCall } from '../../ports/speech-adapter.port.js';
import { isBase64 } from '../../wire/base64-text.js';
import { badResponse } from '../../../formats/bad-response.js';
import type { SdkCalls } from './sdk-calls.js';

/** Speech through a vendor's Vercel AI SDK package, in one piece. */
export class SdkSpeechAdapter extends SpeechAdapter {
  readonly name = 'ai-sdk';

  constructor(private readonly calls: SdkCalls) {
    super(calls);
  }

  async speak(call: SpeechCall): Promise<SpeechResponse> {
    const { vendor, provider } = await this.calls.open(call);
    if (!provider.speech) throw notFound(`The package ${call.package} has no speech`);
    const options = { ...vendor.options, ...call.options };
    const { audio } = await this.calls.run(call, async () =>
      provider.speech!(call.upstreamModel).doGenerate({
        text: call.input,
        voice: call.voice,
        outputFormat: vendor.formats?.[call.format] ?? call.format,
        speed: call.speed,
        providerOptions: { [vendor.optionsKey]: options as never },
        abortSignal: call.signal,
      }),
    );
    if (typeof audio === 'string' && !isBase64(audio)) throw badResponse('holds audio that is not base64');
    const bytes = typeof audio === 'string' ? Buffer.from(audio, 'base64') : audio;
    let given = false;
    return {
      audio: (async function* () {
        given = true;
        yield bytes;
      })(),
      isComplete: () => given,
      usage: () => undefined,
    };
  }
}
