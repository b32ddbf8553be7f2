import { OpenRouter } from '@openrouter/sdk';
import * as errors from '@openrouter/sdk/models/errors';
import type { STTRequest } from '@openrouter/sdk/models';
import OpenAI, { toFile } from 'openai';
import { makeKey } from '../../support/api/api-builders.js';
import {
  GPT_TRANSCRIBE,
  GROQ_TURBO,
  startAudioStage,
  WHISPER,
  type AudioStage,
} from '../../support/calls/audio-stage.js';
import { SEGMENTS, SPOKEN_SECONDS, SPOKEN_TEXT, WORDS } from '../../support/vendors/other-vendor-formats.js';
import { aWav } from '../../support/files/recordings.js';
import { TEST_API_KEY, TEST_MANAGEMENT_KEY } from '../../support/services/test-service.js';

const RECORDING = aWav(2);
const MODELS = [WHISPER, GPT_TRANSCRIBE, 'openai/gpt-4o-mini-transcribe', 'openai/whisper-large-v3', GROQ_TURBO];

let stage: AudioStage;
beforeAll(async () => (stage = await startAudioStage()));
afterAll(() => stage.stop());
const address = (): string => `${stage.service.origin}/api/v1`;

describe('openai', () => {
  const client = (apiKey = TEST_API_KEY): OpenAI => new OpenAI({ apiKey, baseURL: address(), maxRetries: 0 });
  const file = () => toFile(RECORDING, 'speech.wav');

  it.each(MODELS)('gets the text of a file from %s', async (model) => {
    const { text } = await client().audio.transcriptions.create({ model, file: await file(), language: 'en' });
    expect(text).toBe(SPOKEN_TEXT);
  });

  it('gets segments and words', async () => {
    const verbose = await client().audio.transcriptions.create({
      model: GROQ_TURBO,
      file: await file(),
      response_format: 'verbose_json',
      timestamp_granularities: ['word', 'segment'],
    });
    expect(verbose).toMatchObject({ text: SPOKEN_TEXT, duration: SPOKEN_SECONDS, words: WORDS });
    expect(verbose.segments).toHaveLength(SEGMENTS.length);
  });

  it('throws its own error class for each status', async () => {
    const poor = await makeKey(stage.service.management, { limit: 1e-9 });
    const create = async (fields: object = {}, key?: string): Promise<unknown> =>
      client(key).audio.transcriptions.create({ model: WHISPER, file: await file(), ...fields });
    await expect(create({ response_format: 'srt' })).rejects.toBeInstanceOf(OpenAI.BadRequestError);
    await expect(create({}, 'wrong')).rejects.toBeInstanceOf(OpenAI.AuthenticationError);
    await expect(create({}, TEST_MANAGEMENT_KEY)).rejects.toBeInstanceOf(OpenAI.AuthenticationError);
    await expect(create({}, poor.key)).rejects.toMatchObject({ status: 402 });
    await expect(create({ model: 'no/such' })).rejects.toBeInstanceOf(OpenAI.NotFoundError);
    stage.vendor.script({ status: 429 }, { status: 500 });
    await expect(create()).rejects.toBeInstanceOf(OpenAI.RateLimitError);
    await expect(create()).rejects.toBeInstanceOf(OpenAI.InternalServerError);
  });
});

describe('@openrouter/sdk', () => {
  const client = (apiKey = TEST_API_KEY): OpenRouter =>
    new OpenRouter({ apiKey, serverURL: address(), retryConfig: { strategy: 'none' } });
  const transcribe = (fields: Partial<STTRequest> = {}, key?: string) =>
    client(key).stt.createTranscription({
      sttRequest: {
        model: GROQ_TURBO,
        inputAudio: { data: RECORDING.toString('base64'), format: 'wav' },
        ...fields,
      },
    });

  it.each(MODELS)('gets the text and the usage of a recording in base64 from %s', async (model) => {
    const { text, usage } = await transcribe({ model, user: 'end-user-1', sessionId: 'session-1' });
    expect(text).toBe(SPOKEN_TEXT);
    expect(usage!.cost).toBeGreaterThan(0);
    if (model.includes('gpt')) expect(usage).toMatchObject({ inputTokens: 14, outputTokens: 7, totalTokens: 21 });
    else expect(usage!.seconds).toBe(SPOKEN_SECONDS);
  });

  it('gets segments and words', async () => {
    const verbose = await transcribe({ responseFormat: 'verbose_json', timestampGranularities: ['word', 'segment'] });
    expect(verbose).toMatchObject({ task: 'transcribe', language: 'english', duration: SPOKEN_SECONDS, words: WORDS });
    expect(verbose.segments![0]).toMatchObject({ id: 0, avgLogprob: -0.25 });
  });

  it('gets the text and the words of a recording that is sent in a form', async () => {
    const verbose = await client().stt.createTranscriptionMultipart({
      requestBody: {
        model: GROQ_TURBO,
        file: { fileName: 'speech.wav', content: new Uint8Array(RECORDING) },
        responseFormat: 'verbose_json',
        timestampGranularities: ['word'],
        temperature: 0.5,
      },
    });
    expect(verbose).toMatchObject({ text: SPOKEN_TEXT, words: WORDS });
  });

  it('throws its own error class for each status', async () => {
    const poor = await makeKey(stage.service.management, { limit: 1e-9 });
    const status = (code: number): Promise<unknown> => {
      stage.vendor.script({ status: code });
      return transcribe();
    };
    await expect(transcribe({ temperature: 2 })).rejects.toBeInstanceOf(errors.BadRequestResponseError);
    await expect(transcribe({}, 'wrong')).rejects.toBeInstanceOf(errors.UnauthorizedResponseError);
    await expect(transcribe({}, poor.key)).rejects.toBeInstanceOf(errors.PaymentRequiredResponseError);
    await expect(transcribe({ model: 'no/such' })).rejects.toBeInstanceOf(errors.NotFoundResponseError);
    await expect(status(429)).rejects.toBeInstanceOf(errors.TooManyRequestsResponseError);
    await expect(status(500)).rejects.toBeInstanceOf(errors.BadGatewayResponseError);
    await expect(status(529)).rejects.toBeInstanceOf(errors.ProviderOverloadedResponseError);
    await expect(status(524)).rejects.toBeInstanceOf(errors.EdgeNetworkTimeoutResponseError);
  });

  it('(plain request) GET /models lists the models with modality and input', async () => {
    const { data } = (await stage.service.standard.get('/models?output_modalities=transcription')).json;
    expect(data.map(({ id }: { id: string }) => id).toSorted()).toEqual(MODELS.toSorted());
    for (const { architecture } of data)
      expect(architecture).toMatchObject({ modality: 'audio->transcription', input_modalities: ['audio'] });
  });
});
