import { startScriptedChatVendor, type ScriptedChatVendor } from '../../vendors/scripted-chat-vendor.js';
import { startScriptedTextVendor } from '../../vendors/scripted-text-vendor.js';
import { startTestService, TEST_API_KEY, type TestService } from '../../services/test-service.js';
import { TEXT_VENDORS } from '../../vendors/text-vendor-formats.js';
import type { ClientAccess } from './chat-client.js';

export interface ClientsStage {
  readonly service: TestService;
  /** Replaces OpenAI. */
  readonly vendor: ScriptedChatVendor;
  /** Replaces Anthropic. */
  readonly anthropic: Awaited<ReturnType<typeof startScriptedTextVendor>>;
  readonly access: ClientAccess;
  stop(): Promise<void>;
}

/** A service with two vendors: one of the chat format, and one that is called through a package. */
export async function startClientsStage(env: Readonly<Record<string, string>> = {}): Promise<ClientsStage> {
  const vendor = await startScriptedChatVendor();
  const anthropic = await startScriptedTextVendor();
  const service = await startTestService({
    env: {
      WIRE_DIALECT: 'openrouter',
      OPENAI_API_KEY: 'sk-scripted-openai-0123456789',
      OPENAI_BASE_URL: vendor.baseUrl,
      ANTHROPIC_API_KEY: TEXT_VENDORS.anthropic.credential,
      ANTHROPIC_BASE_URL: anthropic.baseUrl,
      BREAKER_FAILURES: '1000',
      ...env,
    },
  });
  return {
    service,
    vendor,
    anthropic,
    access: { baseUrl: `${service.origin}/api/v1`, apiKey: TEST_API_KEY },
    stop: async () => {
      await service.stop();
      await anthropic.close();
      await vendor.close();
    },
  };
}
