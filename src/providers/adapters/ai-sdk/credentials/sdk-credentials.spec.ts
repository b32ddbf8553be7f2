import { generateKeyPairSync, verify } from 'node:crypto';
import { SecretValue } from '../../../../kernel/secret-value.js';
import {
  aConversation,
  aTextCall,
  deltasOf,
  startScriptedTextVendor,
} from '../../../../../test/support/vendors/scripted-text-vendor.js';
import { TEXT_VENDORS } from '../../../../../test/support/vendors/text-vendor-formats.js';
import { VendorFetch } from '../../../wire/vendor-fetch.js';
import { SdkCalls } from '../sdk-calls.js';
import { SdkTextAdapter } from '../sdk-text.adapter.js';
import { SDK_VENDORS } from '../sdk-vendors.js';
import { vertexAnthropicFactory, vertexFactory } from '../vertex.js';
import { VertexTokens } from '../vertex-tokens.js';

const VALUE = 'hidden-value';

describe('credentials of several members', () => {
  const fetch = new VendorFetch(1_000);
  afterAll(() => fetch.close());
  const calls = new SdkCalls(fetch, () => undefined);
  const reasonOf = (name: string, credential: unknown): string | undefined =>
    calls.credentialReason(
      { provider: 'some-vendor', package: name },
      new SecretValue(typeof credential === 'string' ? credential : JSON.stringify(credential)),
    );

  it.each([
    ['@ai-sdk/amazon-bedrock', { region: 'us-east-1', apiKey: VALUE }],
    ['@ai-sdk/amazon-bedrock', { region: 'us-east-1', accessKeyId: 'a', secretAccessKey: VALUE, sessionToken: 't' }],
    ['@ai-sdk/google-vertex', { project: 'p', location: 'global', clientEmail: 'a@b', privateKey: VALUE }],
    ['@ai-sdk/azure', { resourceName: 'mine', apiKey: VALUE }],
    ['@ai-sdk/azure', { baseURL: 'https://mine.example/openai/v1', apiKey: VALUE }],
    ['@ai-sdk/anthropic', VALUE],
  ])('for %s are accepted: %j', (name, credential) => {
    expect(reasonOf(name, credential)).toBeUndefined();
  });

  it.each([
    ['@ai-sdk/amazon-bedrock', VALUE, 'JSON object'],
    ['@ai-sdk/amazon-bedrock', [VALUE], 'JSON object'],
    ['@ai-sdk/amazon-bedrock', { region: 'us-east-1', accessKeyId: VALUE }, 'secretAccessKey'],
    ['@ai-sdk/amazon-bedrock', { apiKey: VALUE }, 'region'],
    ['@ai-sdk/amazon-bedrock', { region: 'evil.example/?', apiKey: VALUE }, 'region'],
    ['@ai-sdk/google-vertex', { project: 'p', location: 'x@y', clientEmail: 'a', privateKey: VALUE }, 'location'],
    ['@ai-sdk/google-vertex/anthropic', { project: 'p', location: 'x', privateKey: VALUE }, 'clientEmail'],
    ['@ai-sdk/azure', VALUE, 'resourceName'],
    ['@ai-sdk/azure', { baseURL: 'http://mine.example', apiKey: VALUE }, 'cannot be used'],
    ['@ai-sdk/azure', { resourceName: 7, apiKey: VALUE }, 'resourceName'],
  ])('for %s are refused with the name of the member, without the value: %j', async (name, credential, member) => {
    const reason = reasonOf(name, credential);
    expect(reason).toContain(member);
    expect(reason).not.toContain(VALUE);
    const secret = new SecretValue(typeof credential === 'string' ? credential : JSON.stringify(credential));
    const call = {
      ...aTextCall(TEXT_VENDORS.anthropic, aConversation()),
      package: name,
      provider: 'some-vendor',
      credential: secret,
    };
    await expect(new SdkTextAdapter(calls).converse(call)).rejects.toMatchObject({
      kind: 'invalid_request',
      message: reason,
    });
  });

  const PEM = '-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----\n';
  it.each([
    ['@ai-sdk/amazon-bedrock', { region: 'us-east-1', apiKey: `${VALUE}\n` }, 'apiKey'],
    ['@ai-sdk/amazon-bedrock', { region: 'us-east-1', accessKeyId: '\u0430', secretAccessKey: VALUE }, 'accessKeyId'],
    [
      '@ai-sdk/amazon-bedrock',
      { region: 'us-east-1', accessKeyId: 'a', secretAccessKey: `${VALUE}\n`, sessionToken: 't\nu' },
      'sessionToken',
    ],
    ['@ai-sdk/azure', { resourceName: 'mine', apiKey: `${VALUE}\u0436` }, 'apiKey'],
    ['@ai-sdk/anthropic', `${VALUE}\n`, undefined],
    ['@ai-sdk/google-vertex', { project: 'p', location: 'global', clientEmail: 'a@b', privateKey: PEM }, null],
  ])('for %s are refused if a header cannot carry a member that it must carry: %j', (name, credential, member) => {
    const subject = member === undefined ? 'The credential' : `The member ${member} of the credential`;
    const refusal = `${subject} for provider some-vendor must be a text that an HTTP header can carry`;
    expect(reasonOf(name, credential)).toBe(member === null ? undefined : refusal);
  });

  it('with an address that is not public are refused', async () => {
    const credential = new SecretValue(JSON.stringify({ baseURL: 'https://127.0.0.1:1/v1', apiKey: VALUE }));
    const call = { ...aTextCall(TEXT_VENDORS.anthropic, aConversation()), package: '@ai-sdk/azure', credential };
    await expect(new SdkTextAdapter(calls).converse(call)).rejects.toMatchObject({
      message: expect.stringContaining('not public'),
    });
  });

  it('for a provider without an address in the package need an address from the operator', () => {
    const endpoint = { provider: 'unheard-of', package: '@ai-sdk/anthropic' };
    expect(calls.unreachableReason(endpoint)).toContain('UNHEARD_OF_BASE_URL');
    expect(calls.unreachableReason({ ...endpoint, provider: 'minimax' })).toBeUndefined();
  });

  it('of a service account are exchanged for one access token, which later calls reuse', async () => {
    const vendor = await startScriptedTextVendor();
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
    const assertions: string[] = [];
    const tokens = new VertexTokens(async (assertion) => `token-${assertions.push(assertion)}`);
    const vertexCalls = new SdkCalls(fetch, () => vendor.baseUrl, {
      '@ai-sdk/google-vertex': { ...SDK_VENDORS['@ai-sdk/google-vertex']!, load: vertexFactory(tokens) },
      '@ai-sdk/google-vertex/anthropic': {
        ...SDK_VENDORS['@ai-sdk/google-vertex/anthropic']!,
        load: vertexAnthropicFactory(tokens),
      },
    });
    const adapter = new SdkTextAdapter(vertexCalls);
    const account = {
      project: 'my-project',
      location: 'europe-west1',
      clientEmail: 'robot@my-project.iam.gserviceaccount.com',
      privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    };
    const { google, anthropic } = TEXT_VENDORS;
    for (const [format, name] of [
      [google, '@ai-sdk/google-vertex'],
      [anthropic, '@ai-sdk/google-vertex/anthropic'],
    ] as const) {
      vendor.turn(format, { text: ['Hi'], finish: format.stop, usage: format.usage }, true);
      const call = aTextCall(format, aConversation(), {
        streamed: true,
        package: name,
        credential: new SecretValue(JSON.stringify(account)),
      });
      await deltasOf(await adapter.converse(call));
    }
    expect(vendor.seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer token-1', 'Bearer token-1']);
    const path = '/projects/my-project/locations/europe-west1/publishers/';
    expect(vendor.seen[0]!.url).toContain(`${path}google/models/gemini-2.5-flash:streamGenerateContent`);
    expect(vendor.seen[1]!.url).toContain(`${path}anthropic/models/claude-sonnet-4-5:streamRawPredict`);
    const [head, claims, signature] = assertions[0]!.split('.') as [string, string, string];
    expect(verify('RSA-SHA256', Buffer.from(`${head}.${claims}`), publicKey, Buffer.from(signature, 'base64url'))).toBe(
      true,
    );
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({ iss: account.clientEmail });
    await vendor.close();
  });
});
