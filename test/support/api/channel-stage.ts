import { ChannelDirectory } from '../../../src/channels/channel-directory.js';
import type { ApiAnswer } from './api-client.js';
import { aTextEndpoint, HELLO } from '../calls/text-stage.js';
import { teach } from '../catalogue/test-catalogue.js';
import { eventually } from '../eventually.js';
import { startTestService, type TestService, type TestServiceOptions } from '../services/test-service.js';
import {
  goodScript,
  startScriptedChatVendor,
  type ChatScript,
  type ScriptedChatVendor,
} from '../vendors/scripted-chat-vendor.js';

/** An address without a listener. */
export const DEAD_ADDRESS = 'http://127.0.0.1:1/v1';
export const ENVIRONMENT_KEY = 'sk-environment-credential-0123456789';
export const OTHER_VENDORS_KEY = 'sk-other-vendors-credential-0123456789';

/**
 * Two replicas on one database, and two vendors. The first vendor responds as scripted for each credential. It alone
 * serves `rules/one` and `rules/stored`; the environment has no key for `rules/stored`. Both vendors serve `rules/two`.
 */
export interface ChannelStage {
  readonly service: TestService;
  readonly replica: TestService;
  readonly vendor: ScriptedChatVendor;
  readonly other: ScriptedChatVendor;
  /** Sets the response to calls with a key until `clear`; undefined = successful responses. */
  answers(key: string, script: ChatScript | undefined): void;
  /** The keys of the calls that the vendor has received, in order. */
  keys(): string[];
  /** Stores a credential and waits until both replicas have it. */
  store(fields?: object): Promise<ApiAnswer['json']>;
  chat(body?: object, service?: TestService): Promise<ApiAnswer>;
  /** Deletes every credential, and clears scripts and calls. */
  clear(): Promise<void>;
  stop(): Promise<void>;
}

export const keyOf = ({ headers }: { readonly headers: Readonly<Record<string, unknown>> }): string =>
  String(headers['authorization']).replace(/^Bearer /, '');

export async function startChannelStage({ env, ...options }: TestServiceOptions = {}): Promise<ChannelStage> {
  const scripts = new Map<string, ChatScript>();
  const vendor = await startScriptedChatVendor((call) => scripts.get(keyOf(call)) ?? goodScript(call));
  const other = await startScriptedChatVendor();
  const settings = {
    ...options,
    env: {
      OPENAI_API_KEY: ENVIRONMENT_KEY,
      OPENAI_BASE_URL: vendor.baseUrl,
      GROQ_BASE_URL: vendor.baseUrl,
      DEEPINFRA_API_KEY: OTHER_VENDORS_KEY,
      DEEPINFRA_BASE_URL: other.baseUrl,
      CHANNEL_PRIVATE_ADDRESSES: 'on',
      BREAKER_FAILURES: '1000',
      UPSTREAM_TIMEOUT_MS: '2000',
      ...env,
    },
  };
  const service = await startTestService(settings);
  const replica = await startTestService({ ...settings, databaseUrl: service.databaseUrl });
  const services = [service, replica];
  const models = {
    'rules/one': [aTextEndpoint('openai')],
    'rules/stored': [aTextEndpoint('groq')],
    'rules/two': [aTextEndpoint('openai'), aTextEndpoint('deepinfra')],
  };
  for (const one of services) teach(one, models);
  const known = async ({ app }: TestService): Promise<string> => {
    const directory = app.get(ChannelDirectory, { strict: false });
    await directory.refresh();
    return ['openai', 'groq'].flatMap((slug) => directory.of(slug).map(({ id }) => id)).join();
  };
  const ids = new Set<string>();
  return {
    service,
    replica,
    vendor,
    other,
    answers: (key, script) => void (script ? scripts.set(key, script) : scripts.delete(key)),
    keys: () => vendor.seen.map(keyOf),
    store: async (fields = {}) => {
      const answer = await service.management.post('/providers/credentials', {
        json: { provider: 'openai', ...fields },
      });
      if (answer.status !== 201) throw new Error(answer.text);
      const { id } = answer.json.data;
      ids.add(id);
      await eventually(async () => {
        for (const one of services) if (!(await known(one)).includes(id)) throw new Error('not known yet');
      });
      return answer.json.data;
    },
    chat: (body = {}, at = service) =>
      at.standard.post('/chat/completions', { json: { model: 'rules/one', messages: HELLO, ...body } }),
    clear: async () => {
      for (const id of ids) await service.management.delete(`/providers/credentials/${id}`);
      await eventually(async () => {
        for (const one of services) if ((await known(one)) !== 'env:openai') throw new Error('still known');
      });
      ids.clear();
      scripts.clear();
      vendor.clear();
      for (const { seen } of [vendor, other]) seen.length = 0;
    },
    stop: async () => {
      await replica.stop();
      await service.stop();
      await vendor.close();
      await other.close();
    },
  };
}
