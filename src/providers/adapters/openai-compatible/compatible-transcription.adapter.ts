import type { ReportedUsage } from '../../ports/endpoint-call.js';
import { membersOf, textOf, type Members } from '../../../formats/members.js';
import {
  TranscriptionAdapter,
  type TimedText,
  type TranscriptionCall,
  type VendorTranscription,
} from '../../ports/transcription-adapter.port.js';
import { encodeForm } from '../../wire/multipart-form.js';
import { badResponse } from '../../../formats/bad-response.js';
import type { CompatibleEndpoint } from './compatible-endpoint.js';
import { reportedUsage } from './reported-usage.js';

/** The size of a transcription of seven hours of speech, with words and segments. */
const MAX_RESPONSE_BYTES = 33_554_432;

/** Speech to text from any OpenAI-compatible vendor, by a form sent to `/audio/transcriptions`. */
export class CompatibleTranscriptionAdapter extends TranscriptionAdapter {
  readonly name = 'openai-compatible';

  constructor(private readonly endpoint: CompatibleEndpoint) {
    super(endpoint);
  }

  async transcribe(call: TranscriptionCall): Promise<VendorTranscription> {
    const vendor = this.endpoint.vendorOf(call);
    const { bytes, fileName } = call.recording;
    const form = encodeForm(fieldsOf(call), [{ name: 'file', fileName, mediaType: 'application/octet-stream', bytes }]);
    const request = { path: '/audio/transcriptions', ...form };
    return responseOf(await this.endpoint.sendForObject(call, vendor, request, MAX_RESPONSE_BYTES));
  }
}

function fieldsOf(call: TranscriptionCall): [string, string][] {
  const { upstreamModel, language, temperature, isVerbose, granularities } = call;
  const fields: [string, string][] = [
    ['model', upstreamModel],
    ['response_format', isVerbose ? 'verbose_json' : 'json'],
  ];
  if (language !== undefined) fields.push(['language', language]);
  if (temperature !== undefined) fields.push(['temperature', String(temperature)]);
  for (const granularity of granularities) fields.push(['timestamp_granularities[]', granularity]);
  for (const [name, value] of Object.entries(call.options)) {
    const isScalar = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
    if (value !== undefined && value !== null) fields.push([name, isScalar ? String(value) : JSON.stringify(value)]);
  }
  return fields;
}

function responseOf(response: Members): VendorTranscription {
  const { text, task, language, duration, segments, words, x_groq: wrapper, id } = response;
  if (typeof text !== 'string') throw badResponse('holds no text');
  return {
    text,
    task: textOf(task),
    language: textOf(language),
    duration: isNumber(duration) ? duration : undefined,
    segments: Array.isArray(segments) ? segments.map(segmentOf) : undefined,
    words: Array.isArray(words) ? words.map(wordOf) : undefined,
    usage: usageOf(response['usage'], duration),
    upstreamId: textOf(id) ?? textOf(membersOf(wrapper)['id']),
  };
}

/** The reported tokens or seconds. If the usage contains no seconds, the member `duration` of the response is used. */
function usageOf(usage: unknown, duration: unknown): ReportedUsage | undefined {
  const { seconds, input_token_details: details } = membersOf(usage);
  const counted = seconds ?? duration;
  const tokens = reportedUsage(usage);
  if (counted === undefined && !tokens) return undefined;
  const { audio_tokens: promptAudioTokens, text_tokens: promptTextTokens } = membersOf(details);
  return { ...tokens, promptAudioTokens, promptTextTokens, seconds: counted };
}

const NUMBERS_OF_SEGMENT = ['avg_logprob', 'compression_ratio', 'no_speech_prob', 'temperature'];
const INTEGERS_OF_SEGMENT = ['seek', 'speaker'];

/** Keeps optional members only if their type is the one that clients accept, because some vendors send null. */
function segmentOf(segment: unknown, index: number): TimedText {
  const { id, start, end, text, tokens, ...rest } = membersOf(segment);
  if (!isNumber(start) || !isNumber(end) || typeof text !== 'string')
    throw badResponse('holds a segment without its text and times');
  return {
    id: Number.isSafeInteger(id) ? id : index,
    start,
    end,
    text,
    ...picked(rest, INTEGERS_OF_SEGMENT, Number.isSafeInteger),
    ...(Array.isArray(tokens) && tokens.every(Number.isSafeInteger) ? { tokens: tokens as readonly number[] } : {}),
    ...picked(rest, NUMBERS_OF_SEGMENT, isNumber),
  };
}

function wordOf(entry: unknown): TimedText {
  const { word, start, end, ...rest } = membersOf(entry);
  if (!isNumber(start) || !isNumber(end) || typeof word !== 'string')
    throw badResponse('holds a word without its times');
  return {
    word,
    start,
    end,
    ...picked(rest, ['confidence'], isNumber),
    ...picked(rest, ['speaker'], Number.isSafeInteger),
  };
}

const picked = (members: Members, names: readonly string[], fits: (value: unknown) => boolean): Members =>
  Object.fromEntries(names.filter((name) => fits(members[name])).map((name) => [name, members[name]]));

const isNumber = (value: unknown): value is number => Number.isFinite(value);
