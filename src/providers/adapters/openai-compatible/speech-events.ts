import { isObject, isSet, type Members } from '../../../formats/members.js';
import type { ReportedUsage } from '../../ports/endpoint-call.js';
import { isBase64 } from '../../wire/base64-text.js';
import { EventLines } from '../../wire/event-lines.js';
import type { VendorResponse } from '../../wire/vendor-response.js';
import { badResponse } from '../../../formats/bad-response.js';
import { reportedUsage } from './reported-usage.js';

/** Reads speech sent as events: yields their decoded audio and keeps the usage of the last event. */
export class SpeechEvents {
  usage: ReportedUsage | undefined;
  isComplete = false;

  constructor(private readonly response: VendorResponse) {}

  /** Ends at the event `speech.audio.done`, which carries the usage; throws if the stream ends without it. */
  async *audio(): AsyncGenerator<Uint8Array, void, undefined> {
    const lines = new EventLines();
    for await (const chunk of this.response) {
      // Yield the audio of one chunk as one piece, so that isComplete is known before the last piece is yielded.
      const pieces: Buffer[] = [];
      for (const data of lines.push(chunk as Buffer)) this.#read(data, pieces);
      if (pieces.length > 0) yield pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
      if (!this.isComplete) continue;
      this.response.discard();
      return;
    }
    throw badResponse('ended before its audio was complete');
  }

  #read(data: Buffer, pieces: Buffer[]): void {
    const event = parsed(data);
    if (event === undefined) return;
    if (event.type === 'error' || isSet(event.error)) throw badResponse('ended with an error');
    if (event.type === 'speech.audio.delta' && typeof event.audio === 'string') {
      if (event.audio !== '' && !isBase64(event.audio)) throw badResponse('holds audio that is not base64');
      pieces.push(Buffer.from(event.audio, 'base64'));
    }
    if (event.type === 'speech.audio.done') {
      this.usage = reportedUsage(event.usage);
      this.isComplete = true;
    }
  }
}

function parsed(data: Buffer): Members | undefined {
  const text = data.toString('utf8');
  if (text.startsWith('[DONE]')) return undefined;
  let event: unknown;
  try {
    event = JSON.parse(text);
  } catch {
    throw badResponse('holds an event that is not valid JSON');
  }
  return isObject(event) ? event : undefined;
}
