import { SpeechAdapter, type SpeechAnswer, type SpeechCall } from '../../spec/speech-adapter.port.js';
import { badAnswer } from '../../wire/vendor-fault.js';
import { fitBody, type CompatibleEndpoint } from './compatible-endpoint.js';
import { SpeechEvents } from './speech-events.js';

/** Speech from any vendor of this protocol: `/audio/speech`, its bytes passed on as they come. */
export class CompatibleSpeechAdapter extends SpeechAdapter {
  readonly name = 'openai-compatible';

  constructor(private readonly endpoint: CompatibleEndpoint) {
    super();
  }

  async speak(call: SpeechCall): Promise<SpeechAnswer> {
    const vendor = this.endpoint.vendorOf(call);
    const body = fitBody(vendor, {
      ...call.options,
      model: call.upstreamModel,
      input: call.input,
      voice: call.voice,
      response_format: call.format,
      speed: call.speed,
      // Plain audio carries no usage; the last event of this form does.
      stream_format: call.needsUsage ? 'sse' : undefined,
    });
    const answer = await this.endpoint.post(call, vendor, '/audio/speech', 'application/json', JSON.stringify(body));
    if (call.needsUsage) {
      const events = new SpeechEvents(answer);
      if (answer.contentType !== 'text/event-stream') {
        void answer.return();
        throw badAnswer('is no event stream, so that it cannot say what it used');
      }
      return { audio: events.audio(), isComplete: () => events.isComplete, usage: () => events.usage };
    }
    if (answer.contentType === 'application/json') {
      void answer.return();
      throw badAnswer('holds a message in place of audio');
    }
    return { audio: answer, isComplete: () => answer.isComplete, usage: () => undefined };
  }
}
