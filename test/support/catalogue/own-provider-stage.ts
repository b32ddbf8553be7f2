import type { ApiAnswer } from '../api/api-client.js';
import { HELLO } from '../calls/text-stage.js';
import { eventually } from '../eventually.js';
import { startTestService, type TestService } from '../services/test-service.js';
import { startScriptedChatVendor, type ScriptedChatVendor } from '../vendors/scripted-chat-vendor.js';

export const OWN_KEY = 'sk-own-provider-credential-0123456789';
export const OWN_PRICES = { prompt: '0.000001', completion: '0.000002' };
export const OWN_MODEL = {
  upstream: 'assistant-7b',
  context_length: 8_000,
  max_completion_tokens: 1_000,
  pricing: OWN_PRICES,
};
/** The cost of a call for which the vendor reports 11 prompt tokens and 7 completion tokens. */
export const OWN_COST = 0.000025;

/** Two replicas on one database, and a vendor for own providers. */
export interface OwnProviderStage {
  readonly service: TestService;
  readonly replica: TestService;
  readonly vendor: ScriptedChatVendor;
  post(json: object): Promise<ApiAnswer>;
  /** Sets a model at the path `<slug>/models/<id>`. */
  put(path: string, json?: object): Promise<ApiAnswer>;
  chat(model: string, at?: TestService): Promise<ApiAnswer>;
  /** Adds a provider at the vendor's address, and its key. */
  add(slug: string, fields?: object, key?: string | null): Promise<void>;
  /** Sets the model `<slug>/one` and waits until both replicas serve it. */
  offer(slug: string, json?: object): Promise<void>;
  stop(): Promise<void>;
}

export async function startOwnProviderStage(env: Readonly<Record<string, string>> = {}): Promise<OwnProviderStage> {
  const vendor = await startScriptedChatVendor();
  const settings = { CHANNEL_PRIVATE_ADDRESSES: 'on', BREAKER_FAILURES: '1000', ...env };
  const service = await startTestService({ env: settings });
  const replica = await startTestService({ env: settings, databaseUrl: service.databaseUrl });
  const stage: OwnProviderStage = {
    service,
    replica,
    vendor,
    post: (json) => service.management.post('/providers', { json }),
    put: (path, json = {}) => service.management.put(`/providers/${path}`, { json: { ...OWN_MODEL, ...json } }),
    chat: (model, at = service) => at.standard.post('/chat/completions', { json: { model, messages: HELLO } }),
    async add(slug, fields = {}, key = OWN_KEY) {
      const made = await stage.post({ slug, format: 'chat', base_url: vendor.baseUrl, ...fields });
      expect([made.status, made.text]).toEqual([201, expect.any(String)]);
      if (key === null) return;
      const stored = await service.management.post('/providers/credentials', { json: { provider: slug, key } });
      expect([stored.status, stored.text]).toEqual([201, expect.any(String)]);
    },
    async offer(slug, json = {}) {
      expect((await stage.put(`${slug}/models/one`, json)).status).toBe(200);
      for (const at of [service, replica])
        await eventually(async () => expect((await stage.chat(`${slug}/one`, at)).status).toBe(200));
      vendor.seen.length = 0;
    },
    async stop() {
      await replica.stop();
      await service.stop();
      await vendor.close();
    },
  };
  return stage;
}
