const BYTES_PER_TOKEN = 4;

/** Tokens of the built-in text models: bytes of UTF-8, divided by four, rounded up. */
export const tokensOfBytes = (bytes: number): number => Math.ceil(bytes / BYTES_PER_TOKEN);

/** The maximum number of UTF-8 bytes in this number of tokens. */
export const bytesOfTokens = (tokens: number): number => tokens * BYTES_PER_TOKEN;
