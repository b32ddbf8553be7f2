import { startScriptedVendor, type ScriptedVendor } from './scripted-vendor.js';
import { startTestService, type TestService } from '../services/test-service.js';

export const VENDOR_CREDENTIAL = 'sk-scripted-vendor-credential-0123456789';

/** A service with a scripted vendor of the OpenAI protocol, which is closed together with the service. */
export async function startVendorStage(
  env: Readonly<Record<string, string>> = {},
): Promise<{ vendor: ScriptedVendor; service: TestService }> {
  const vendor = await startScriptedVendor();
  const service = await startTestService({
    env: { OPENAI_API_KEY: VENDOR_CREDENTIAL, OPENAI_BASE_URL: vendor.baseUrl, UPSTREAM_TIMEOUT_MS: '400', ...env },
  });
  const stop = async (): Promise<void> => {
    await service.stop();
    await vendor.close();
  };
  return { vendor, service: { ...service, stop } };
}

/** The stage of `startVendorStage`, and a second service with few credits, whose vendor address has no listener. */
export async function startClientStage(): Promise<{ vendor: ScriptedVendor; service: TestService; poor: TestService }> {
  const { vendor, service } = await startVendorStage({ UPSTREAM_TIMEOUT_MS: '300' });
  const poor = await startTestService({
    env: {
      BOOTSTRAP_CREDITS_USD: '0.00005',
      OPENAI_API_KEY: VENDOR_CREDENTIAL,
      OPENAI_BASE_URL: 'http://127.0.0.1:1/v1',
      BREAKER_FAILURES: '1',
    },
  });
  return { vendor, service, poor };
}
