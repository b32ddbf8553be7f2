import { bearerOf } from './intern-requests.js';
import type { InternsStage, Member } from './interns-stage.js';

/** A response of an intern's chat, read as it arrives. */
export class ChatReading {
  // Tests read single members of chunks.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly chunks: any[] = [];
  text = '';
  #seen = 0;
  #ended = false;
  #wake: (() => void) | undefined;
  /** Resolves when the stream has ended. */
  readonly whole: Promise<void>;

  constructor(
    readonly response: Response,
    readonly leave: () => void,
  ) {
    this.whole = this.#read().finally(() => {
      this.#ended = true;
      this.#wake?.();
    });
    this.whole.catch(() => undefined);
  }

  get status(): number {
    return this.response.status;
  }

  /** The body of a JSON response. */
  // oxlint-disable-next-line typescript/no-explicit-any
  async json(): Promise<any> {
    await this.whole;
    return JSON.parse(this.text);
  }

  /** Resolves with the first matching chunk; throws if the stream ends before. */
  // oxlint-disable-next-line typescript/no-explicit-any
  async until(fits: (chunk: any) => unknown): Promise<any> {
    for (;;) {
      const found = this.chunks.find(fits);
      if (found) return found;
      if (this.#ended) throw new Error(`the stream ended without such a chunk:\n${this.text}`);
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  /** The text of all deltas. */
  async content(): Promise<string> {
    await this.whole;
    return this.chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('');
  }

  async #read(): Promise<void> {
    for await (const piece of this.response.body!) {
      this.text += Buffer.from(piece).toString('utf8');
      const end = this.text.lastIndexOf('\n\n') + 2;
      for (const event of this.text.slice(this.#seen, Math.max(end, this.#seen)).split('\n\n'))
        if (event.startsWith('data: {')) this.chunks.push(JSON.parse(event.slice('data: '.length)));
      this.#seen = Math.max(end, this.#seen);
      this.#wake?.();
    }
  }
}

export type Chat = (internId: string, body: object, headers?: Record<string, string>) => Promise<ChatReading>;

/** Sends requests of an intern's chat with a key of this member. */
export async function chatOf(stage: InternsStage, member: Member): Promise<Chat> {
  return chatAs(stage, await bearerOf(stage, member));
}

export function chatAs({ origin }: Pick<InternsStage, 'origin'>, authorization: string): Chat {
  return async (internId, body, headers) => {
    const leaving = new AbortController();
    const response = await fetch(`${origin}/api/v1/interns/${internId}/chat/completions`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ stream: true, ...body }),
      signal: leaving.signal,
    });
    return new ChatReading(response, () => leaving.abort());
  };
}

export const user = (content: unknown, more: object = {}): object => ({
  messages: [{ role: 'user', content }],
  ...more,
});

export const answer = (sessionId: string, questionId: string, content: unknown): object => ({
  session_id: sessionId,
  messages: [
    { role: 'assistant', content: null, tool_calls: [] },
    { role: 'tool', tool_call_id: questionId, content },
  ],
});
