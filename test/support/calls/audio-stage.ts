import { settledSpend } from '../money/account-totals.js';
import { startScriptedChatVendor, type ScriptedChatVendor } from '../vendors/scripted-chat-vendor.js';
import { startTestService, type TestService, type TestServiceOptions } from '../services/test-service.js';

/** A model of OpenAI at 0.0001 USD per second. */
export const WHISPER = 'openai/whisper-1';
/** A model of OpenAI priced by tokens: 2.50 (text), 6 (audio) and 10 (output) USD per million. */
export const GPT_TRANSCRIBE = 'openai/gpt-4o-transcribe';
/** A model of Groq at 0.04 USD per hour, at least ten seconds. */
export const GROQ_TURBO = 'openai/whisper-large-v3-turbo';
/** A model of Cohere at 0.0025 USD per search unit. */
export const RERANK_PRO = 'cohere/rerank-v4-pro';
export const LEXICAL = 'builtin/lexical-embedding';

export interface AudioStage {
  readonly service: TestService;
  readonly vendor: ScriptedChatVendor;
  /** The nano-dollars that the account spent during the work. */
  spentBy(work: () => Promise<unknown>): Promise<bigint>;
  // oxlint-disable-next-line typescript/no-explicit-any
  recordOf(id: string): Promise<any>;
  anomaliesOf(id: string): Promise<string[]>;
  stop(): Promise<void>;
}

/** A service with a vendor of transcriptions, rankings and completions. */
export async function startAudioStage(
  env: Readonly<Record<string, string>> = {},
  options: Pick<TestServiceOptions, 'logTo'> = {},
): Promise<AudioStage> {
  const vendor = await startScriptedChatVendor();
  const vendors = ['OPENAI', 'GROQ', 'COHERE', 'TOGETHERAI', 'DEEPINFRA', 'CEREBRAS'];
  const service = await startTestService({
    ...options,
    env: {
      ...Object.fromEntries(
        vendors.flatMap((slug) => [
          [`${slug}_API_KEY`, `credential-of-${slug.toLowerCase()}`],
          [`${slug}_BASE_URL`, vendor.baseUrl],
        ]),
      ),
      BREAKER_FAILURES: '1000',
      UPSTREAM_TIMEOUT_MS: '5000',
      ...env,
    },
  });
  return {
    service,
    vendor,
    spentBy: async (work) => {
      const before = await settledSpend(service.sql);
      await work();
      return (await settledSpend(service.sql)) - before;
    },
    recordOf: async (id) => (await service.standard.get(`/generation?id=${id}`)).json.data,
    anomaliesOf: async (id) => {
      const rows = await service.sql.query<{ kind: string }>(
        'select kind from billing_anomaly where generation_id = $1',
        [id.slice(4)],
      );
      return rows.map(({ kind }) => kind);
    },
    stop: async () => {
      await service.stop();
      await vendor.close();
    },
  };
}
