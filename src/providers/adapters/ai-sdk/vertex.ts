import type { SdkProvider, SdkSettings } from './sdk-provider.js';
import { VertexTokens, type ServiceAccount } from './vertex-tokens.js';

type Load = () => Promise<(settings: SdkSettings) => SdkProvider>;
type VertexSettings = SdkSettings & ServiceAccount;

/** The package with our access tokens, because its own code would fetch them over connections outside the pool. */
export const vertexFactory =
  (tokens = new VertexTokens()): Load =>
  async () => {
    const { createGoogleVertex } = await import('@ai-sdk/google-vertex');
    return (settings) => {
      const account = settings as VertexSettings;
      const authClient = { getAccessToken: async () => ({ token: await tokens.tokenOf(account, settings.fetch) }) };
      return createGoogleVertex({ ...settings, googleAuthOptions: { authClient: authClient as never } });
    };
  };

/** Like `vertexFactory`, for Claude models on Vertex AI. */
export const vertexAnthropicFactory =
  (tokens = new VertexTokens()): Load =>
  async () => {
    const { createGoogleVertexAnthropic } = await import('@ai-sdk/google-vertex/anthropic');
    return (settings) => {
      const account = settings as VertexSettings;
      const generateAuthToken = (): Promise<string> => tokens.tokenOf(account, settings.fetch);
      return createGoogleVertexAnthropic({ ...settings, generateAuthToken });
    };
  };
