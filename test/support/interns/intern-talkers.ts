import { OpenRouter } from '@openrouter/sdk';
import OpenAI from 'openai';
import { TEST_API_KEY } from '../services/test-service.js';

/** The content of one response of an intern. */
export interface Heard {
  readonly text: string;
  readonly questionId?: string;
  readonly question?: unknown;
  readonly cost?: number;
  /** The session of the turn to which the message was added. */
  readonly steered?: string;
}

/** An unmodified client in a conversation with one intern. */
export interface Talker {
  say(session: string, text: string, manual: boolean): Promise<Heard>;
  answer(session: string, questionId: string, content: string): Promise<Heard>;
  /** Aborts the stream after this text has arrived. */
  leaveAfter(session: string, text: string, heard: string): Promise<void>;
}

export function sdkTalker(base: string, internId: string): Talker {
  const client = new OpenRouter({ apiKey: TEST_API_KEY, serverURL: base, retryConfig: { strategy: 'none' } });
  type Message = { role: 'user'; content: string } | { role: 'tool'; toolCallId: string; content: string };
  const send = (sessionId: string, message: Message, manual = false, signal?: AbortSignal) =>
    client.interns.chat(
      {
        internId,
        internChatCompletionRequest: {
          stream: true,
          sessionId,
          messages: [message],
          approvalMode: manual ? 'manual' : 'self-drive',
        },
      },
      { signal },
    );
  const hear = async (sent: ReturnType<typeof send>): Promise<Heard> => {
    const { result } = await sent;
    if (!(Symbol.asyncIterator in result)) return { text: '', steered: result.sessionId };
    let heard: Heard = { text: '' };
    for await (const { choices, usage, error } of result) {
      if (error) throw new Error(`${error.code} ${error.metadata.reason}: ${error.message}`);
      const { content, toolCalls } = choices[0]?.delta ?? {};
      const call = toolCalls?.[0];
      heard = {
        ...heard,
        text: heard.text + (content ?? ''),
        ...(call && { questionId: call.id, question: JSON.parse(call.function.arguments) as unknown }),
        ...(usage && { cost: usage.cost }),
      };
    }
    return heard;
  };
  return {
    say: (session, content, manual) => hear(send(session, { role: 'user', content }, manual)),
    answer: (session, toolCallId, content) => hear(send(session, { role: 'tool', toolCallId, content })),
    leaveAfter: async (session, content, heard) => {
      const leaving = new AbortController();
      const { result } = await send(session, { role: 'user', content }, false, leaving.signal);
      for await (const { choices } of result as Extract<typeof result, AsyncIterable<unknown>>)
        if (choices[0]?.delta.content?.includes(heard)) break;
      leaving.abort();
    },
  };
}

export function openaiTalker(base: string, internId: string): Talker {
  const client = new OpenAI({ apiKey: TEST_API_KEY, baseURL: `${base}/interns/${internId}`, maxRetries: 0 });
  const send = (session_id: string, message: OpenAI.ChatCompletionMessageParam, manual = false) => {
    const own = { session_id, approval_mode: manual ? 'manual' : 'self-drive' };
    return client.chat.completions.create({ model: 'any', stream: true, messages: [message], ...own });
  };
  const hear = async (sent: ReturnType<typeof send>): Promise<Heard> => {
    const { data, response } = await sent.withResponse();
    if (response.status === 202) {
      // This client would read a stream for any status, but the response to a steered message is not a stream.
      return { text: '', steered: 'steer' };
    }
    let heard: Heard = { text: '' };
    for await (const { choices, usage } of data) {
      const { content, tool_calls: calls } = choices[0]?.delta ?? {};
      const call = calls?.[0];
      heard = {
        ...heard,
        text: heard.text + (content ?? ''),
        ...(call && { questionId: call.id, question: JSON.parse(call.function!.arguments!) as unknown }),
        ...(usage && { cost: (usage as { cost?: number }).cost }),
      };
    }
    return heard;
  };
  return {
    say: (session, content, manual) => hear(send(session, { role: 'user', content }, manual)),
    answer: (session, tool_call_id, content) => hear(send(session, { role: 'tool', tool_call_id, content })),
    leaveAfter: async (session, content, heard) => {
      for await (const { choices } of await send(session, { role: 'user', content }))
        if (choices[0]?.delta.content?.includes(heard)) break;
    },
  };
}
