import { SpeechAdapter, type SpeechResponse, type SpeechCall } from '../../ports/speech-adapter.port.js';
import { badResponse } from '../../../formats/bad-response.js';
import { supportedFields, type CompatibleEndpoint } from './compatible-endpoint.js';
import { SpeechEvents } from './speech-events.js';

/** Content types of text. A response with such a type is an error message instead of audio. */
const MESSAGE = /^text\/|[/+](?:json|xml)$/;

/** Speech from any OpenAI-compatible vendor (`/audio/speech`). Bytes are forwarded as they arrive. */
export class CompatibleSpeechAdapter extends SpeechAdapter {
  readonly name = 'openai-compatible';

  constructor(private readonly endpoint: CompatibleEndpoint) {
    super(endpoint);
  }

  async speak(call: SpeechCall): Promise<SpeechResponse> {
    const vendor = this.endpoint.vendorOf(call);
    const body = supportedFields(vendor, {
      ...call.options,
      model: call.upstreamModel,
      input: call.input,
      voice: call.voice,
      response_format: call.format,
      speed: call.speed,
      // A plain audio body contains no usage; an event stream contains it in the last event.
      stream_format: call.needsUsage ? 'sse' : undefined,
    });
    const response = await this.endpoint.send(call, vendor, { path: '/audio/speech', body: JSON.stringify(body) });
    if (call.needsUsage && response.contentType === 'text/event-stream') {
      const events = new SpeechEvents(response);
      return { audio: events.audio(), isComplete: () => events.isComplete, usage: () => events.usage };
    }
    if (MESSAGE.test(response.contentType)) {
      void response.return();
      throw badResponse('contains text instead of audio');
    }
    // The vendor may ignore stream_format. Without usage the call is billed at its worst-case price.
    return { audio: response, isComplete: () => response.isComplete, usage: () => undefined };
  }
}
