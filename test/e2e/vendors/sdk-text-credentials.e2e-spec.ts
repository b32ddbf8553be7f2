import { PACKAGE_VENDORS } from '../../support/vendors/openai-formats.js';
import { modelOf, startSdkTextStage, type SdkTextStage } from '../../support/vendors/sdk-text-stage.js';
import { eventually } from '../../support/eventually.js';

const JSON_CREDENTIALS = ['bedrock', 'vertex', 'vertex-anthropic'] as const;
const slugOf = (name: string): string => PACKAGE_VENDORS[name]!.slug;

describe('a credential that is a JSON object', () => {
  let stage: SdkTextStage;
  let log = '';
  beforeAll(async () => {
    const env = Object.fromEntries(
      JSON_CREDENTIALS.map((name) => [
        `${slugOf(name).toUpperCase().replaceAll('-', '_')}_API_KEY`,
        '{"region":"eu-west-1","location":"x","apiKye":"misspelt-secret-value"}',
      ]),
    );
    stage = await startSdkTextStage({ ...env, LOG_LEVEL: 'warn' }, (text) => (log += text));
  }, 120_000);
  afterAll(() => stage.stop());
  afterEach(async () => {
    for (const { id } of (await stage.service.management.get('/byok')).json.data)
      await stage.service.management.delete(`/byok/${id}`);
  });

  it('with wrong members is reported at start by the name of its variable, without its values', () => {
    for (const variable of ['AMAZON_BEDROCK_API_KEY', 'GOOGLE_VERTEX_API_KEY', 'GOOGLE_VERTEX_ANTHROPIC_API_KEY'])
      expect(log).toContain(`${variable} cannot be used`);
    expect(log).not.toMatch(/AZURE_API_KEY|COHERE_API_KEY|misspelt/);
  });

  it.each(JSON_CREDENTIALS)(
    'with wrong members makes calls of %s return 404 with the names of the missing members',
    async (name) => {
      const answer = await stage.chat(name, { text: ['Hi'] });
      expect([answer.status, answer.json.error.metadata.availability.code]).toEqual([404, 'no_endpoints']);
      expect(answer.json.error.message).toMatch(/_API_KEY cannot be used\. .*(secretAccessKey|privateKey)/);
      expect(answer.text).not.toContain('misspelt');
    },
  );

  it.each(JSON_CREDENTIALS)(
    "is accepted as a caller's own credential for %s; a credential of another form gets 400",
    async (name) => {
      const { management } = stage.service;
      const provider = slugOf(name);
      for (const key of ['plain-secret-value', '{"region":"us-east-1"}', '[]', '{"apiKey":7}']) {
        const refused = await management.post('/byok', { json: { provider, key } });
        expect([refused.status, refused.json.error.message]).toEqual([
          400,
          expect.stringMatching(/^key: .*(JSON object|lacks)/),
        ]);
        expect(refused.text).not.toContain('plain-secret');
      }
      const made = await management.post('/byok', { json: { provider, key: PACKAGE_VENDORS[name]!.credential } });
      expect(made.status).toBe(201);
      await eventually(async () => {
        const answer = await stage.chat(name, { text: ['Hi'] });
        expect([answer.status, answer.json.usage?.is_byok, answer.json.usage?.cost]).toEqual([200, true, 0]);
      });
      expect(stage.vendor.seen.at(-1)!.headers.authorization).toMatch(
        name === 'bedrock' ? /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\// : /^Bearer vertex-access-token$/,
      );
      const changed = await management.patch(`/byok/${made.json.data.id}`, { json: { key: 'plain-secret-value' } });
      expect(changed.status).toBe(400);
    },
  );

  it('is never shown: a member that a vendor quotes is masked', async () => {
    const { management, standard } = stage.service;
    const { credential } = PACKAGE_VENDORS['bedrock']!;
    expect((await management.post('/byok', { json: { provider: 'amazon-bedrock', key: credential } })).status).toBe(
      201,
    );
    const { secretAccessKey } = JSON.parse(credential) as { secretAccessKey: string };
    await eventually(async () => {
      stage.vendor.clear();
      stage.vendor.reply((response) => {
        response.writeHead(400, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ message: `no ${secretAccessKey} here` }));
      });
      const json = { model: modelOf('bedrock'), messages: [{ role: 'user', content: 'Hello' }] };
      const answer = await standard.post('/chat/completions', { json });
      expect([answer.status, answer.json.error.message]).toEqual([400, 'no [redacted] here']);
    });
  });
});
