/** A model for each way to reach a vendor: as bytes, through a package, and without a vendor. */
export const CHAT_MODELS = {
  bytes: 'openai/gpt-4o-mini',
  package: 'anthropic/claude-sonnet-4-5',
  'built-in': 'builtin/eliza',
} as const;
