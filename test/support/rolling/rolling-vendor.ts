import type { ModelMessage } from '../interns/conversing-interns.js';
import { messagesOf } from '../interns/intern-world.js';
import { MAX_OUTPUT_TOKENS } from '../money/chat-load.js';
import { RandomNumbers } from '../random-numbers.js';
import {
  goodCompletion,
  goodEvents,
  streamEvents,
  type ChatScript,
  type SeenChatCall,
} from '../vendors/scripted-chat-vendor.js';

const MIN_STREAM_MS = 200;
const MAX_STREAM_MS = 3_000;
const MAX_TURN_MS = 1_500;

/** The response of the model of an intern to a message. */
export const heardOf = (message: string): string => `I heard: ${message}`;

/** The last message of a call of an intern's model; undefined for other calls. */
export function messageTo({ json }: Pick<SeenChatCall, 'json'>): string | undefined {
  const last = messagesOf(json as { messages: ModelMessage[] }).at(-1)?.content;
  return typeof last === 'string' && last.startsWith('message ') ? last : undefined;
}

/** Responses that take different times: streams of 0.2 to 3 s, turns of interns, and chats without a stream. */
export function pacedVendor(seed: number): (call: SeenChatCall) => ChatScript {
  const random = new RandomNumbers(seed);
  const paced = (events: readonly unknown[], ms: number): ChatScript => ({ events, pauseMs: ms / events.length });
  return (call) => {
    const message = messageTo(call);
    if (message !== undefined) return paced(goodEvents(['I heard: ', message]), random.int(0, MAX_TURN_MS));
    if ((call.json as { stream?: boolean }).stream !== true) return { body: goodCompletion() };
    const tokens = random.int(1, MAX_OUTPUT_TOKENS);
    const usage = { prompt_tokens: 12, completion_tokens: tokens };
    return paced(streamEvents(tokens, usage), random.int(MIN_STREAM_MS, MAX_STREAM_MS));
  };
}
