import type { ParameterRule } from '../../../src/catalogue/catalogue-model.js';
import type { ApiAnswer } from '../api/api-client.js';
import {
  PICTURES,
  SDK_ANSWERS,
  SINGLE,
  startScriptedSdkVendors,
  VOICES,
  type ScriptedSdkVendors,
  type SdkVendorCase,
} from './scripted-sdk-vendors.js';
import { anImageEndpoint, aSpeechEndpoint, teach } from '../catalogue/test-catalogue.js';
import { startTestService, type TestService } from '../services/test-service.js';

const SEEDLESS = ['azure', 'google', 'luma', 'xai'];

const variableOf = (slug: string): string => slug.toUpperCase().replaceAll('-', '_');
export const secretOf = (slug: string): string => `secret-credential-of-${slug}`;

/** A service whose models `sdk/<slug>` are served by the scripted vendors. */
export async function startSdkVendorStage(): Promise<{ vendors: ScriptedSdkVendors; service: TestService }> {
  const vendors = await startScriptedSdkVendors();
  const env = Object.fromEntries(
    Object.keys(SDK_ANSWERS).flatMap((slug) => [
      [`${variableOf(slug)}_API_KEY`, secretOf(slug)],
      [`${variableOf(slug)}_BASE_URL`, vendors.baseUrlOf(slug)],
    ]),
  );
  const service = await startTestService({ env: { ...env, UPSTREAM_TIMEOUT_MS: '2000', BREAKER_FAILURES: '1000' } });
  const facts = ({ slug, model }: SdkVendorCase): object => ({
    adapter: 'ai-sdk',
    package: `@ai-sdk/${slug}`,
    upstreamModel: model,
    supportsStreaming: false,
    allowedPassthroughParameters: ['knob', 'raw'],
  });
  const pictures = PICTURES.map((vendor) => {
    const supportedParameters: Record<string, ParameterRule> = {
      n: { type: 'range', min: 1, max: SINGLE.includes(vendor.slug) ? 1 : 4 },
      aspect_ratio: { type: 'enum', values: ['1:1', '16:9'] },
      ...(SEEDLESS.includes(vendor.slug) ? {} : { seed: { type: 'boolean' } }),
    };
    return [
      `sdk/${vendor.slug}`,
      [anImageEndpoint(vendor.slug, { ...facts(vendor), pixelBounds: undefined, supportedParameters })],
    ] as const;
  });
  const voices = VOICES.map((vendor) => [`sdk/${vendor.slug}`, [aSpeechEndpoint(vendor.slug, facts(vendor))]] as const);
  teach(service, {
    ...Object.fromEntries([...pictures, ...voices]),
    'sdk/nothing': [anImageEndpoint('xai', { adapter: 'ai-sdk', package: '@ai-sdk/nothing' })],
  });
  return { vendors, service };
}

export const drawOn = (service: TestService, slug: string, fields: object = {}): Promise<ApiAnswer> =>
  service.standard.post('/images', { json: { model: `sdk/${slug}`, prompt: 'A kite', ...fields } });

export const speakOn = (service: TestService, slug: string, fields: object = {}): Promise<ApiAnswer> =>
  service.standard.post('/audio/speech', {
    json: { model: `sdk/${slug}`, input: 'Hello', voice: 'alloy', response_format: 'mp3', ...fields },
  });
