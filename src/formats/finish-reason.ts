import type { FinishReason } from './conversation.js';

/** Vendors' names of finish reasons, in lower case. */
const WORDS: Readonly<Record<FinishReason, readonly string[]>> = {
  stop: ['stop', 'end_turn', 'stop_sequence', 'eos', 'eos_token', 'end', 'complete', 'completed', 'done', 'pause_turn'],
  length: ['length', 'max_tokens', 'max_output_tokens', 'max_length', 'model_length', 'model_context_window_exceeded'],
  tool_calls: ['tool_calls', 'tool_call', 'tool_use', 'function_call'],
  content_filter: [
    'content_filter',
    'refusal',
    'safety',
    'sensitive',
    'recitation',
    'blocklist',
    'prohibited_content',
    'spii',
    'guardrail_intervened',
  ],
  error: ['error'],
};
const REASON_OF_WORD = new Map(
  (Object.keys(WORDS) as FinishReason[]).flatMap((reason) => WORDS[reason].map((word) => [word, reason] as const)),
);

/** A vendor's finish reason in the client's terms. An unknown name counts as `error`. */
export function finishReasonOf(native: string, hasToolCalls: boolean): FinishReason {
  const reason = REASON_OF_WORD.get(native.toLowerCase()) ?? 'error';
  return reason === 'stop' && hasToolCalls ? 'tool_calls' : reason;
}
