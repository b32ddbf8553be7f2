/** A model for each way to serve a chat: relayed as bytes, through a package, and built in. */
export const CHAT_MODELS = {
  bytes: 'openai/gpt-4o-mini',
  package: 'anthropic/claude-sonnet-4-5',
  'built-in': 'builtin/eliza',
} as const;
