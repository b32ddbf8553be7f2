import { VENDOR_TOOLS, type ToolTreatment } from '../../../src/inference/text/tools/vendor-tools.js';
import type { TextFormat } from '../../../src/formats/vendor-text.js';
import { goodResponsesScript } from '../../support/vendors/responses-vendor.js';
import type { ApiAnswer } from '../../support/api/api-client.js';
import { aTextEndpoint, HELLO, startTextStage, type TextStage } from '../../support/calls/text-stage.js';

const SEARCH_PRICE = { prompt: '0.000001', completion: '0.000002', webSearch: '0.01' };
const PATHS: Readonly<Record<TextFormat, string>> = {
  chat: '/chat/completions',
  responses: '/responses',
  messages: '/messages',
};
const BODIES: Readonly<Record<TextFormat, object>> = {
  chat: { messages: HELLO },
  responses: { input: 'Hello' },
  messages: { messages: HELLO, max_tokens: 100 },
};

/** A tool of this type with the members that the format requires. */
function toolOf(format: TextFormat, type: string): object {
  const name = { name: 'f' };
  if (format === 'chat') return { type, function: name };
  if (format === 'messages')
    return { type, ...name, ...(type === 'custom' ? { input_schema: { type: 'object' } } : {}) };
  return type === 'namespace' ? { type, ...name, tools: [{ type: 'function', ...name }] } : { type, ...name };
}

const ROWS = Object.entries(VENDOR_TOOLS).flatMap(([format, rows]) =>
  rows.flatMap(({ types, treatment }) =>
    types.map((type) => [format as TextFormat, type.replace('_*', '_20260101'), treatment] as const),
  ),
);

describe('a tool in the table of vendor tools', () => {
  let stage: TextStage;
  beforeAll(async () => {
    stage = await startTextStage();
    for (const vendor of ['openai', 'anthropic'] as const) {
      stage.teach(`tools/${vendor}`, [aTextEndpoint(vendor)]);
      stage.teach(`tools/${vendor}-search`, [aTextEndpoint(vendor, { tokenPrices: SEARCH_PRICE })]);
    }
  });
  afterAll(() => stage.stop());

  /** Sends a request. Returns the tools that the vendor received; undefined if it received no request. */
  async function send(format: TextFormat, model: string, more: object): Promise<[ApiAnswer, object[] | undefined]> {
    const { openai } = stage.vendors;
    const seen = format === 'messages' ? stage.anthropic.seen : openai.seen;
    const before = seen.length;
    if (format === 'messages') {
      stage.anthropic.clear();
      stage.claude();
    } else {
      openai.clear();
      if (format === 'responses') openai.script(goodResponsesScript(false));
    }
    const json = { model, ...BODIES[format], ...more };
    const answer = await stage.service.standard.post(PATHS[format], { json });
    return [answer, seen.length > before ? ((seen.at(-1)!.json as { tools?: object[] }).tools ?? []) : undefined];
  }

  const isSentTo = (treatment: ToolTreatment, hasPrice: boolean): boolean =>
    treatment === 'caller' || treatment === 'group' || treatment === 'free' || (treatment === 'search' && hasPrice);

  it.each(ROWS)('in the format %s with the type %s has the treatment %s', async (format, type, treatment) => {
    const vendor = format === 'messages' ? 'anthropic' : 'openai';
    for (const spelt of [type, type.toUpperCase()]) {
      // A namespace is validated by its exact name, which is in lower case in the formats.
      if (spelt !== type && (treatment === 'group' || treatment === 'caller')) continue;
      for (const hasPrice of [false, true]) {
        const model = `tools/${vendor}${hasPrice ? '-search' : ''}`;
        const [answer, sent] = await send(format, model, { tools: [toolOf(format, spelt)] });
        if (isSentTo(treatment, hasPrice)) {
          expect([answer.status, sent?.length]).toEqual([200, 1]);
          expect(answer.headers.get('x-gatehouse-adjusted')).toBeNull();
        } else if (format === 'responses') {
          expect([answer.status, sent]).toEqual([200, []]);
          expect(answer.headers.get('x-gatehouse-adjusted')).toBe(`tools=${type}`);
        } else {
          expect([answer.status, sent]).toEqual([400, undefined]);
          expect(answer.json.error.message).toContain(`tools[0].type: tools of type ${type}`);
        }
      }
    }
  });

  const NOT_SENT = ROWS.filter(([, , treatment]) => treatment === 'refused' || treatment === 'search');

  it.each(NOT_SENT.filter(([format]) => format === 'responses'))(
    'that the request forces is 400 in the format %s with the type %s (%s)',
    async (format, type) => {
      const tools = [toolOf(format, type)];
      for (const tool_choice of [
        { type },
        { type: type.toUpperCase() },
        'required',
        { type: 'allowed_tools', mode: 'required', tools: [{ type }] },
      ]) {
        const [answer, sent] = await send(format, 'tools/openai', { tools, tool_choice });
        expect([answer.status, sent]).toEqual([400, undefined]);
        expect(answer.json.error.message).toContain(type);
      }
    },
  );

  it.each(NOT_SENT.filter(([format]) => format === 'responses'))(
    'in the format %s with the type %s is 400 inside a namespace (%s)',
    async (format, type) => {
      const tools = [{ type: 'namespace', name: 'n', tools: [toolOf(format, type)] }];
      const [answer, sent] = await send(format, 'tools/openai', { tools });
      expect([answer.status, sent]).toEqual([400, undefined]);
      expect(answer.json.error.message).toContain('tools[0].tools[0]');
    },
  );

  it.each<TextFormat>(['chat', 'responses', 'messages'])('of an unknown type is not sent: %s', async (format) => {
    const model = format === 'messages' ? 'tools/anthropic-search' : 'tools/openai-search';
    const [answer, sent] = await send(format, model, { tools: [toolOf(format, 'brand_new_tool')] });
    expect([answer.status, sent ?? []]).toEqual([format === 'responses' ? 200 : 400, []]);
  });

  it('is sent with only its last type if its JSON has two members named type', async () => {
    const body = '{"model":"tools/openai","input":"x","tools":[{"type":"code_interpreter","type":"local_shell"}]}';
    stage.vendors.openai.script(goodResponsesScript(false));
    const headers = { 'content-type': 'application/json' };
    expect((await stage.service.standard.post('/responses', { body, headers })).status).toBe(200);
    expect(stage.vendors.openai.seen.at(-1)!.raw.toString()).not.toContain('code_interpreter');
  });
});
