import { SecretValue } from '../../../kernel/secret-value.js';
import type { VendorClient } from '../../wire/vendor-client.js';
import { CompatibleEndpoint } from './compatible-endpoint.js';
import { openCredential } from './vendor-credential.js';
import { COMPATIBLE_VENDORS } from './vendors.js';

const azure = COMPATIBLE_VENDORS.find(({ slug }) => slug === 'azure')!;
const open = (credential: unknown, configured?: string): readonly [string | undefined, string] => {
  const text = typeof credential === 'string' ? credential : JSON.stringify(credential);
  const { key, baseUrl } = openCredential(azure, new SecretValue(text), configured);
  return [key?.reveal(), baseUrl];
};

describe('a credential of several strings', () => {
  it('determines the address of the resource', () => {
    expect(open({ resourceName: 'my-team', apiKey: 'k' })).toEqual(['k', 'https://my-team.openai.azure.com/openai/v1']);
  });

  it("accepts a complete address on a vendor's host", () => {
    const baseUrl = 'https://x.cognitiveservices.azure.com/openai/v1';
    expect(open({ baseURL: baseUrl, apiKey: 'k' })).toEqual(['k', baseUrl]);
  });

  it("prefers the operator's address, also with a plain key", () => {
    expect(open({ resourceName: 'a', apiKey: 'k' }, 'http://127.0.0.1:1/v1')).toEqual(['k', 'http://127.0.0.1:1/v1']);
    expect(open('plain', 'http://127.0.0.1:1/v1')).toEqual(['plain', 'http://127.0.0.1:1/v1']);
  });

  it.each([
    'plain',
    '[]',
    'null',
    { apiKey: 'k' },
    { resourceName: 'a' },
    { resourceName: 'a', apiKey: 5 },
    { resourceName: 'evil.example/#', apiKey: 'k' },
    { resourceName: '', apiKey: 'k' },
    { baseURL: 'http://x.openai.azure.com/openai/v1', apiKey: 'k' },
    { baseURL: 'https://127.0.0.1/', apiKey: 'k' },
    { baseURL: 'https://openai.azure.com.evil.example/', apiKey: 'k' },
    { baseURL: 'https://x.openai.azure.com:8443/', apiKey: 'k' },
    { baseURL: 'https://u@x.openai.azure.com/', apiKey: 'k' },
    { baseURL: 'https://x.openai.azure.com/?a', apiKey: 'k' },
    { baseURL: 'nonsense', resourceName: 'a', apiKey: 'k' },
  ])('is refused with an error that does not quote it: %j', (credential) => {
    expect(() => open(credential)).toThrow(expect.objectContaining({ kind: 'provider_failed' }));
    expect(() => open(credential)).toThrow(/^The credential for azure has the wrong form: /);
    expect(() => open(credential)).not.toThrow(/evil|127\.0\.0\.1/);
  });
});

describe('a credential that no HTTP header can carry', () => {
  const endpoint = new CompatibleEndpoint({} as VendorClient, () => undefined);
  it.each([
    ['groq', 'sk-own\nsecret', 'The credential'],
    ['own-provider', 'sk-\u0441ecret', 'The credential'],
    ['azure', '{"resourceName":"a","apiKey":"k\\n"}', 'The member apiKey of the credential'],
  ])('is refused for %s: %j', (provider, credential, subject) => {
    expect(endpoint.credentialReason({ provider }, new SecretValue(credential))).toBe(
      `${subject} for provider ${provider} must be a text that an HTTP header can carry`,
    );
  });

  it('is accepted if it is a JSON document and a header can carry the member that is sent', () => {
    const text = JSON.stringify({ resourceName: 'a', apiKey: 'k' }, null, 2);
    expect(endpoint.credentialReason({ provider: 'azure' }, new SecretValue(text))).toBeUndefined();
  });
});

describe('vendor rows', () => {
  it('have unique slugs, and addresses without a trailing slash', () => {
    expect(new Set(COMPATIBLE_VENDORS.map(({ slug }) => slug)).size).toBe(COMPATIBLE_VENDORS.length);
    for (const { baseUrl, credential } of COMPATIBLE_VENDORS)
      if (!credential) expect(baseUrl).toMatch(/^https?:\/\/[^/]+(\/[^/]+)*$/);
  });
});
