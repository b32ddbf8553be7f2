import type { SdkProvider, SdkSettings } from './sdk-provider.js';
import { VertexTokens, type ServiceAccount } from './vertex-tokens.js';

type Load = () => Promise<(settings: SdkSettings) => SdkProvider>;

const tokenFor = (tokens: VertexTokens, settings: SdkSettings): Promise<string> =>
  tokens.tokenOf(settings as SdkSettings & ServiceAccount, settings.fetch);

/** The package with our access tokens, because its own code would fetch them over connections outside the pool. */
export const vertexFactory =
  (tokens = new VertexTokens()): Load =>
  async () => {
    const { createGoogleVertex } = await import('@ai-sdk/google-vertex');
    return (settings) => {
      const authClient = { getAccessToken: async () => ({ token: await tokenFor(tokens, settings) }) };
      return createGoogleVertex({ ...settings, googleAuthOptions: { authClient: authClient as never } });
    };
  };

/** Like `vertexFactory`, for Claude models on Vertex AI. */
export const vertexAnthropicFactory =
  (tokens = new VertexTokens()): Load =>
  async () => {
    const { createGoogleVertexAnthropic } = await import('@ai-sdk/google-vertex/anthropic');
    return (settings) =>
      createGoogleVertexAnthropic({ ...settings, generateAuthToken: () => tokenFor(tokens, settings) });
  };
