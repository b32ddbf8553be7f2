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
import { TEXT_VENDORS } from '../../support/vendors/text-vendor-formats.js';

/** By client format: the body of a call, and a function that returns the text of its response. */
const CLIENTS: Readonly<Record<string, { body: object; textOf: (json: ApiAnswer['json']) => unknown }>> = {
  '/chat/completions': { body: { messages: HELLO }, textOf: (json) => json.choices[0].message.content },
  '/messages': { body: { messages: HELLO, max_tokens: 100 }, textOf: (json) => json.content.at(-1).text },
  '/responses': { body: { input: 'Hello' }, textOf: (json) => json.output.at(-1).content[0].text },
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
  beforeAll(async () => {
    google = await startScriptedTextVendor();
    stage = await startOwnProviderStage();
    for (const format of FORMATS) {
      await stage.add(`by-${format}`, { format, ...(format === 'gemini' ? { base_url: google.baseUrl } : {}) });
      expect((await stage.put(`by-${format}/models/one`)).status).toBe(200);
    }
  });
  afterAll(async () => {
    await stage.stop();
    await google.close();
  });

  describe.each(FORMATS)('that speaks %s', (format) => {
    it.each(Object.keys(CLIENTS))('serve callers of %s', async (path) => {
      const dialect = TEXT_VENDORS.google;
      const usage = {
        ...dialect.usage,
        promptTokenCount: CHAT_USAGE.prompt_tokens,
        candidatesTokenCount: CHAT_USAGE.completion_tokens,
      };
      google.turn(dialect, { text: CHAT_TEXT, finish: dialect.stop, usage }, false);
      stage.vendor.seen.length = 0;
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
  });
});
