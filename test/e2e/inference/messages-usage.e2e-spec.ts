import { PACKAGE_VENDORS } from '../../support/vendors/openai-formats.js';
import { modelOf, startSdkTextStage, type SdkTextStage } from '../../support/vendors/sdk-text-stage.js';

/** The usage reported by a vendor of Anthropic's format, and the resulting anomaly. */
const REPORTS: readonly (readonly [string, unknown, string])[] = [
  ['no usage', undefined, 'usage_missing'],
  ['null', null, 'usage_missing'],
  ['an empty object', {}, 'usage_missing'],
  ['null counts', { input_tokens: null, output_tokens: null }, 'usage_missing'],
  ['counts as text', { input_tokens: '10', output_tokens: '7' }, 'usage_invalid'],
  ['negative counts', { input_tokens: -4, output_tokens: -9 }, 'usage_invalid'],
];
/** Three prompt tokens (the role and "Hello") at 3,000 nano-dollars, and one completion token ("Hi") at 15,000. */
const COUNTED = 0.000024;

describe('a vendor of Anthropic’s format', () => {
  let stage: SdkTextStage;
  beforeAll(async () => (stage = await startSdkTextStage()), 120_000);
  afterAll(() => stage.stop());

  /** Posts a request to a vendor whose response has this usage in every place that the format has for it. */
  const post = async (name: string, path: string, usage: unknown, stream: boolean) => {
    const format = PACKAGE_VENDORS[name]!;
    const turn = { text: ['Hi'], finish: format.stop, usage: {} };
    const reported = (event: object): object => {
      const { message, ...rest } = event as { message?: object };
      return message ? { ...rest, message: { ...message, usage } } : 'usage' in rest ? { ...rest, usage } : rest;
    };
    stage.vendor.clear();
    stage.vendor.reply((response) => {
      response.writeHead(200, { 'content-type': stream ? format.contentType : 'application/json' });
      if (stream) {
        for (const event of format.events(turn)) {
          const [head, data] = event.toString().split('\ndata: ') as [string, string];
          response.write(`${head}\ndata: ${JSON.stringify(reported(JSON.parse(data) as object))}\n\n`);
        }
        response.end();
      } else response.end(JSON.stringify({ ...format.json(turn), usage }));
    });
    const messages = [{ role: 'user', content: 'Hello' }];
    return stage.service.standard.post(path, { json: { model: modelOf(name), messages, max_tokens: 100, stream } });
  };
  const anomaliesOf = (id: string): Promise<object[]> =>
    stage.service.sql.query('select kind from billing_anomaly where generation_id = $1', [id.slice(4)]);
  const recordOf = async (id: string) => (await stage.service.standard.get(`/generation?id=${id}`)).json.data;

  describe.each([
    ['anthropic', '/chat/completions'],
    ['vertex-anthropic', '/chat/completions'],
    ['anthropic', '/messages'],
  ])('%s, called by %s,', (name, path) => {
    it.each(REPORTS)(
      'reports %s, so the call is billed by counted tokens and marked as estimated',
      async (_, usage, kind) => {
        for (const stream of [false, true]) {
          const answer = await post(name, path, usage, stream);
          expect(answer.status).toBe(200);
          expect(answer.text).toContain('Hi');
          const id = answer.headers.get('x-generation-id')!;
          expect(await recordOf(id)).toMatchObject({
            total_cost: COUNTED,
            tokens_prompt: 3,
            tokens_completion: 1,
            usage_estimated: true,
          });
          expect(await anomaliesOf(id)).toEqual([{ kind }]);
        }
      },
    );

    it('reports usage by which the call is billed, including tokens from a cache', async () => {
      const usage = { input_tokens: 10, cache_read_input_tokens: 300, output_tokens: 7, iterations: 'of no form' };
      for (const stream of [false, true]) {
        const answer = await post(name, path, usage, stream);
        const id = answer.headers.get('x-generation-id')!;
        // 10 × 3,000 + 300 × 300 + 7 × 15,000
        expect(await recordOf(id)).toMatchObject({ total_cost: 0.000225, tokens_prompt: 310, usage_estimated: false });
        expect(await anomaliesOf(id)).toEqual([]);
      }
    });
  });
});
