const BYTES_PER_TOKEN = 4;

/** Tokens of the built-in text models: bytes of UTF-8, divided by four, rounded up. */
export const tokensOfBytes = (bytes: number): number => Math.ceil(bytes / BYTES_PER_TOKEN);

/** How many bytes of UTF-8 a number of such tokens may hold. */
export const bytesOfTokens = (tokens: number): number => tokens * BYTES_PER_TOKEN;
