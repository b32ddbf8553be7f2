import { builtInAdapters } from '../../src/providers/built-in-adapters.js';
import { COMPATIBLE_VENDORS } from '../../src/providers/adapters/openai-compatible/vendors.js';
import { SDK_VENDORS } from '../../src/providers/adapters/ai-sdk/sdk-vendors.js';
import { networkAdapters } from '../../src/providers/network-adapters.js';
import {
  PICTURES,
  SINGLE,
  startScriptedSdkVendors,
  VOICES,
  type ScriptedSdkVendors,
  type SdkVendorCase,
} from '../support/vendors/scripted-sdk-vendors.js';
import {
  AUDIO,
  IMAGE_USAGE,
  SPEECH_USAGE,
  startScriptedVendor,
  type ScriptedVendor,
} from '../support/vendors/scripted-vendor.js';
import { PACKAGE_VENDORS } from '../support/vendors/openai-formats.js';
import type { VendorOfAdapter } from './adapter.contract.js';
import { imageAdapterContract } from './image-adapter.contract.js';
import { speechAdapterContract } from './speech-adapter.contract.js';

/**
 * The timeout of the adapters. It is longer than the time limit of a test, so that only the `timeoutMs` of a single
 * call can expire.
 */
const TIMEOUT_MS = 120_000;

describe('the built-in adapters', () => {
  const adapters = builtInAdapters();
  afterAll(() => adapters.close());
  const call = { provider: 'builtin', upstreamModel: '' };
  const input = 'When the long evening came at last, the lamps were lit one after the other. '.repeat(3);

  describe('of images', () => {
    imageAdapterContract(
      () => ({ adapter: adapters.image[0]!, call: { ...call, width: 96, height: 96, seed: 7 }, maxImages: 3 }),
      { vendor: false, stream: true },
    );
  });
  describe('of speech', () => {
    speechAdapterContract(() => ({ adapter: adapters.speech[0]!, call: { ...call, input } }), {
      vendor: false,
      streams: true,
      events: false,
    });
  });
});

/**
 * A vendor that supports every member of a request, and a vendor that supports only some. Other vendors differ only in
 * their rows in `COMPATIBLE_VENDORS`, not in code.
 */
const COMPATIBLE = COMPATIBLE_VENDORS.filter(({ slug }) => ['openai', 'deepinfra'].includes(slug));

describe.each(COMPATIBLE)('the adapters of the OpenAI protocol for $slug', ({ slug }) => {
  let server: ScriptedVendor;
  beforeAll(async () => {
    server = await startScriptedVendor();
  });
  const adapters = networkAdapters(TIMEOUT_MS, () => server.baseUrl);
  afterAll(async () => {
    await adapters.close();
    await server.close();
  });
  const call = { provider: slug, upstreamModel: 'model-of-the-vendor' };
  const vendor: VendorOfAdapter = {
    script: (fault) => server.script(fault),
    seen: () => server.seen,
    credential: ['authorization', 'Bearer '],
  };

  describe('of images', () => {
    imageAdapterContract(
      () => ({
        adapter: adapters.image[0]!,
        call,
        vendor,
        maxImages: 3,
        usage: {
          promptTokens: IMAGE_USAGE.input_tokens,
          promptImageTokens: IMAGE_USAGE.input_tokens_details.image_tokens,
          promptTextTokens: IMAGE_USAGE.input_tokens_details.text_tokens,
          completionTokens: IMAGE_USAGE.output_tokens,
        },
      }),
      { vendor: true, stream: true },
    );
  });
  describe('of speech', () => {
    speechAdapterContract(
      () => ({
        adapter: adapters.speech[0]!,
        call,
        vendor,
        audio: AUDIO,
        usage: { promptTokens: SPEECH_USAGE.input_tokens, completionTokens: SPEECH_USAGE.output_tokens },
      }),
      { vendor: true, streams: true, events: true },
    );
  });
});

describe("the adapters that use vendors' packages", () => {
  let server: ScriptedSdkVendors;
  beforeAll(async () => {
    server = await startScriptedSdkVendors();
  });
  const adapters = networkAdapters(TIMEOUT_MS, (slug) => server.baseUrlOf(slug));
  afterAll(async () => {
    await adapters.close();
    await server.close();
  });
  const endpointOf = ({ slug, model, credential }: SdkVendorCase) => ({
    call: { provider: slug, package: `@ai-sdk/${slug}`, upstreamModel: model },
    vendor: { script: server.script, seen: () => server.seenBy(slug), credential },
  });

  describe.each(PICTURES)('of images, for $slug', (vendor) => {
    imageAdapterContract(
      () => ({
        ...endpointOf(vendor),
        adapter: adapters.image[1]!,
        maxImages: SINGLE.includes(vendor.slug) ? 1 : 3,
        usage: vendor.usage,
      }),
      { vendor: true, stream: false },
    );
  });
  describe.each(VOICES)('of speech, for $slug', (vendor) => {
    speechAdapterContract(() => ({ ...endpointOf(vendor), adapter: adapters.speech[1]!, audio: AUDIO }), {
      vendor: true,
      streams: false,
      events: false,
    });
  });

  it('are tested with every package, either in this file or by the tests of text vendors', () => {
    const media = [...PICTURES, ...VOICES].map(({ slug }) => `@ai-sdk/${slug}`);
    const text = Object.values(PACKAGE_VENDORS).map(({ package: name }) => name);
    expect(new Set([...media, ...text])).toEqual(new Set(Object.keys(SDK_VENDORS)));
  });
});
