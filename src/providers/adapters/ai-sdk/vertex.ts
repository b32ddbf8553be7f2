import type { SdkProvider, SdkSettings } from './sdk-provider.js';
import { VertexTokens, type ServiceAccount } from './vertex-tokens.js';

type Load = () => Promise<(settings: SdkSettings) => SdkProvider>;

const tokenFor = (tokens: VertexTokens, settings: SdkSettings): Promise<string> =>
  tokens.tokenOf(settings as SdkSettings & ServiceAccount, settings.fetch);

/**
 * Loads the package so that it uses access tokens of VertexTokens. The package's own code would fetch tokens over
 * connections outside the pool.
 */
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
