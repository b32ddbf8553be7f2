import { GatewayError } from '../../../kernel/errors.js';
import { SpeechAdapter, type SpeechAnswer, type SpeechCall } from '../../spec/speech-adapter.port.js';
import type { SdkCalls } from './sdk-calls.js';

/** Speech through a vendor's package of the Vercel AI SDK, in one piece. */
export class SdkSpeechAdapter extends SpeechAdapter {
  readonly name = 'ai-sdk';

  constructor(private readonly calls: SdkCalls) {
    super();
  }

  async speak(call: SpeechCall): Promise<SpeechAnswer> {
    const { vendor, provider } = await this.calls.open(call, 'unavailable');
    if (!provider.speech) throw new GatewayError('unavailable', `The package ${call.package} makes no speech`);
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
