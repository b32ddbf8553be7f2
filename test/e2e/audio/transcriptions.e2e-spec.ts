import {
  GPT_TRANSCRIBE,
  GROQ_TURBO,
  startAudioStage,
  WHISPER,
  type AudioStage,
} from '../../support/calls/audio-stage.js';
import { formFields, SPOKEN_SECONDS, SPOKEN_TEXT, WORDS } from '../../support/vendors/other-vendor-formats.js';
import { aWav } from '../../support/files/recordings.js';

const MAX_BYTES = 26_214_400;
const AUDIO = { data: aWav(2).toString('base64'), format: 'wav' };

let stage: AudioStage;
beforeAll(async () => (stage = await startAudioStage()));
afterAll(() => stage.stop());

const post = (json: object) =>
  stage.service.standard.post('/audio/transcriptions', { json: { model: WHISPER, input_audio: AUDIO, ...json } });

function formOf(parts: readonly (readonly [name: string, value: string | Blob, fileName?: string])[]): FormData {
  const form = new FormData();
  for (const [name, value, fileName] of parts)
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, value, fileName);
  return form;
}
const FILE = ['file', new Blob([aWav(2)]), 'Aufnahme "1".WAV'] as const;
const postForm = (...parts: Parameters<typeof formOf>[0]) =>
  stage.service.standard.post('/audio/transcriptions', { body: formOf(parts) });

describe('POST /audio/transcriptions', () => {
  it('sends the vendor the recording, its format as a file name, and the members that the vendor accepts', async () => {
    const { status, json } = await post({
      language: 'de',
      temperature: 0.25,
      prompt: 'ignored',
      user: 'end-user-1',
      response_format: 'verbose_json',
      timestamp_granularities: ['word', 'segment', 'word'],
    });
    expect([status, json.text]).toEqual([200, SPOKEN_TEXT]);
    const { path, headers, raw } = stage.vendor.seen.at(-1)!;
    expect(path).toBe('/v1/audio/transcriptions');
    expect(headers.authorization).toBe('Bearer credential-of-openai');
    expect(formFields(raw)).toEqual({
      model: ['whisper-1'],
      response_format: ['verbose_json'],
      language: ['de'],
      temperature: ['0.25'],
      'timestamp_granularities[]': ['word', 'segment'],
    });
    expect(raw.includes(aWav(2))).toBe(true);
    expect(raw.toString('latin1')).toContain('filename="audio.wav"');
  });

  it('accepts the same request as a form, and forwards only the extension of the file name', async () => {
    const { status, json } = await postForm(
      ['model', GROQ_TURBO],
      FILE,
      ['response_format', 'verbose_json'],
      ['timestamp_granularities[]', 'word'],
      ['temperature', '0'],
      ['prompt', 'ignored'],
      ['language', ''],
    );
    expect([status, json.words]).toEqual([200, WORDS]);
    const { raw } = stage.vendor.seen.at(-1)!;
    expect(formFields(raw)).toEqual({
      model: ['whisper-large-v3-turbo'],
      response_format: ['verbose_json'],
      temperature: ['0'],
      'timestamp_granularities[]': ['word'],
    });
    expect(raw.toString('latin1')).toContain('filename="audio.wav"');
    expect(raw.includes(aWav(2))).toBe(true);
  });

  it('returns only text and usage, unless the verbose format is requested', async () => {
    const short = await post({ model: GROQ_TURBO });
    expect(Object.keys(short.json)).toEqual(['text', 'usage']);
    const { json } = await post({ model: GROQ_TURBO, response_format: 'verbose_json' });
    expect(json).toMatchObject({ task: 'transcribe', language: 'english', duration: SPOKEN_SECONDS });
    // Members that clients refuse are omitted: null instead of a number or a list.
    expect(json.segments[1]).toEqual({ id: 1, start: 6.5, end: 12.3, text: ' It rains.' });
    expect(json.segments[0]).toMatchObject({ tokens: [50_364, 2_425], avg_logprob: -0.25 });
  });

  it.each([
    ['no model', { model: undefined }, 'model is required'],
    ['no recording', { input_audio: undefined }, 'input_audio is required'],
    ['a recording not in base64', { input_audio: { data: 'data:audio/wav;base64,AAAA', format: 'wav' } }, 'base64'],
    ['a format that is not an extension', { input_audio: { ...AUDIO, format: 'audio/wav' } }, 'format must be'],
    ['an unknown response format', { response_format: 'srt' }, 'response_format must be one of'],
    ['a stream', { stream: true }, 'stream is not available here'],
    ['timestamps without the verbose format', { timestamp_granularities: ['word'] }, 'verbose_json'],
    ['an unknown granularity of timestamps', { timestamp_granularities: ['letter'] }, 'timestamp_granularities'],
    ['a temperature above 1', { temperature: 1.5 }, 'temperature must be from 0 to 1'],
    ['the verbose format of a model without it', { model: GPT_TRANSCRIBE, response_format: 'verbose_json' }, 'json'],
  ])('refuses %s', async (_, fields, words) => {
    const calls = stage.vendor.seen.length;
    const { status, json } = await post(fields);
    expect(status).toBe(400);
    expect(json.error.message).toContain(words);
    expect(json.error.metadata.error_type).toBe('invalid_request');
    expect(stage.vendor.seen).toHaveLength(calls);
  });

  it.each([
    ['no file', [['model', WHISPER]]],
    ['two files', [['model', WHISPER], FILE, FILE]],
    [
      'a file in a part that is not named file',
      [
        ['model', WHISPER],
        ['audio', FILE[1], 'a.wav'],
      ],
    ],
    [
      'an empty file',
      [
        ['model', WHISPER],
        ['file', new Blob([]), 'a.wav'],
      ],
    ],
    ['no model', [FILE]],
    ['a temperature that is not a number', [['model', WHISPER], FILE, ['temperature', 'warm']]],
    ['a provider that is not JSON', [['model', WHISPER], FILE, ['provider', '{']]],
    ['a stream', [['model', WHISPER], FILE, ['stream', 'true']]],
    ['a stream that is neither true nor false', [['model', WHISPER], FILE, ['stream', 'yes']]],
  ] as const)('refuses a form with %s', async (_, parts) => {
    const calls = stage.vendor.seen.length;
    expect((await postForm(...(parts as Parameters<typeof formOf>[0]))).status).toBe(400);
    expect(stage.vendor.seen).toHaveLength(calls);
  });

  it.each([
    ['a text model', 'builtin/eliza', 404],
    ['a speech model', 'builtin/flite', 404],
    ['an unknown model', 'no/such', 404],
  ])('answers 404 for %s', async (_, model, status) => {
    expect((await post({ model })).status).toBe(status);
  });

  it('accepts a file of 26214400 bytes, and refuses a file of one byte more', async () => {
    const ofSize = (bytes: number) =>
      ['file', new Blob([aWav(2), Buffer.alloc(bytes - aWav(2).length)]), 'a.wav'] as const;
    expect((await postForm(['model', WHISPER], ofSize(MAX_BYTES))).status).toBe(200);
    const { status, json } = await postForm(['model', WHISPER], ofSize(MAX_BYTES + 1));
    expect([status, json.error.message]).toEqual([413, `The recording is larger than ${MAX_BYTES} bytes`]);
    const longest = (bytes: number): string => Buffer.alloc(bytes).toString('base64');
    const text = await post({ input_audio: { data: longest(MAX_BYTES + 3), format: 'wav' } });
    expect(text.status).toBe(413);
  });

  it('applies the preferences for providers', async () => {
    const excluded = await post({ provider: { only: ['groq'] } });
    expect([excluded.status, excluded.json.error.metadata.availability.code]).toEqual([404, 'constraint_filtered']);
  });
});
