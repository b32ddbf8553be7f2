import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ApiAnswer } from '../../support/api/api-client.js';
import { keyOf } from '../../support/api/channel-stage.js';
import { HELLO } from '../../support/calls/text-stage.js';
import {
  OWN_COST,
  OWN_KEY,
  OWN_MODEL,
  startOwnProviderStage,
  type OwnProviderStage,
} from '../../support/catalogue/own-provider-stage.js';
import { CHAT_TEXT, CHAT_USAGE } from '../../support/vendors/scripted-chat-vendor.js';
import { startScriptedTextVendor } from '../../support/vendors/scripted-text-vendor.js';
import { PIXEL } from '../../support/vendors/scripted-vendor.js';
import { TEXT_VENDORS } from '../../support/vendors/text-vendor-formats.js';

/** By client format: the body of a call, and a function that returns the text of its response. */
const CLIENTS: Readonly<Record<string, { body: object; textOf: (json: ApiAnswer['json']) => unknown }>> = {
  '/chat/completions': { body: { messages: HELLO }, textOf: (json) => json.choices[0].message.content },
  '/messages': { body: { messages: HELLO, max_tokens: 100 }, textOf: (json) => json.content.at(-1).text },
  '/responses': { body: { input: 'Hello' }, textOf: (json) => json.output.at(-1).content[0].text },
};
/** By client format: a body with a picture at a URL. */
const PICTURES: Readonly<Record<string, (url: string) => object>> = {
  '/chat/completions': (url) => ({
    messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }],
  }),
  '/messages': (url) => ({
    messages: [{ role: 'user', content: [{ type: 'image', source: { type: 'url', url } }] }],
    max_tokens: 100,
  }),
  '/responses': (url) => ({
    input: [{ type: 'message', role: 'user', content: [{ type: 'input_image', image_url: url, detail: 'auto' }] }],
  }),
};
/** URLs in forms that only lenient servers accept. */
const LENIENT: Readonly<Record<string, object>> = {
  '/chat/completions': {
    messages: [{ role: 'user', content: [{ type: 'image_url', image_url: 'http://10.0.0.1/x' }] }],
  },
  '/messages': {
    messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'http://10.0.0.1/x' } }] }],
    max_tokens: 100,
  },
  '/responses': { input: [{ role: 'user', content: [{ type: 'image', image_url: { url: 'http://10.0.0.1/x' } }] }] },
};
const PATHS: Readonly<Record<string, string>> = {
  chat: '/v1/chat/completions',
  responses: '/v1/responses',
  messages: '/v1/messages',
  gemini: `/v1/models/${OWN_MODEL.upstream}:generateContent`,
};
const FORMATS = Object.keys(PATHS);

describe('models of chat of an own provider', () => {
  let stage: OwnProviderStage;
  let google: Awaited<ReturnType<typeof startScriptedTextVendor>>;
  const site = createServer((_, response) => response.end(Buffer.from(PIXEL, 'base64')));
  beforeAll(async () => {
    google = await startScriptedTextVendor();
    await new Promise<void>((listening) => site.listen(0, '127.0.0.1', listening));
    stage = await startOwnProviderStage({ ALLOW_PRIVATE_REFERENCE_HOSTS: 'localhost' });
    for (const format of FORMATS) {
      await stage.add(`by-${format}`, { format, ...(format === 'gemini' ? { base_url: google.baseUrl } : {}) });
      const model = { input_modalities: ['text', 'image'] };
      expect((await stage.put(`by-${format}/models/one`, model)).status).toBe(200);
    }
  });
  afterAll(async () => {
    await stage.stop();
    await google.close();
    site.close();
  });

  describe.each(FORMATS)('that speaks %s', (format) => {
    beforeEach(() => {
      const dialect = TEXT_VENDORS.google;
      const usage = {
        ...dialect.usage,
        promptTokenCount: CHAT_USAGE.prompt_tokens,
        candidatesTokenCount: CHAT_USAGE.completion_tokens,
      };
      google.turn(dialect, { text: CHAT_TEXT, finish: dialect.stop, usage }, false);
      stage.vendor.seen.length = google.seen.length = 0;
    });

    it.each(Object.keys(CLIENTS))('serve callers of %s', async (path) => {
      const { body, textOf } = CLIENTS[path]!;
      const { status, json } = await stage.service.standard.post(path, {
        json: { model: `by-${format}/one`, ...body },
      });
      expect([status, textOf(json)]).toEqual([200, CHAT_TEXT.join('')]);
      if (format === 'gemini') expect(google.seen.at(-1)!.url).toBe(PATHS[format]);
      else {
        const [seen] = stage.vendor.seen;
        const key = format === 'messages' ? seen!.headers['x-api-key'] : keyOf(seen!);
        expect([seen!.path, key]).toEqual([PATHS[format], OWN_KEY]);
        if (format !== 'messages') expect(json.usage.cost).toBe(OWN_COST);
      }
    });

    it.each(Object.keys(PICTURES))(
      'receive a picture inline, never its URL, if a caller of %s sends the URL',
      async (path) => {
        const seen = (): { json: object }[] => (format === 'gemini' ? google.seen : stage.vendor.seen);
        const ask = (url: string): Promise<ApiAnswer> =>
          stage.service.standard.post(path, { json: { model: `by-${format}/one`, ...PICTURES[path]!(url) } });
        const { port } = site.address() as AddressInfo;
        expect((await ask(`http://localhost:${port}/1.png`)).status).toBe(200);
        const sent = JSON.stringify(seen()[0]!.json);
        expect([sent.includes(PIXEL), sent.includes('localhost')]).toEqual([true, false]);
        for (const url of ['http://169.254.169.254/latest', 'http://10.0.0.1/x.png', 'file:///etc/passwd'])
          expect((await ask(url)).status).toBe(400);
        const lenient = { model: `by-${format}/one`, ...LENIENT[path] };
        expect((await stage.service.standard.post(path, { json: lenient })).status).toBe(400);
        expect(seen()).toHaveLength(1);
      },
    );
  });

  it.each(FORMATS)('that speaks %s accept the citations of earlier turns', async (format) => {
    const cited = { type: 'url_citation', url_citation: { url: 'https://a.example', title: 'A' } };
    const messages = [{ role: 'assistant', content: 'A', annotations: [cited] }, ...HELLO];
    const json = { model: `by-${format}/one`, messages };
    expect((await stage.service.standard.post('/chat/completions', { json })).status).toBe(200);
  });
});
