import type { ApiAnswer } from '../api/api-client.js';
import { readBooks, type Books } from '../money/count-the-money.js';
import { HELLO, type TextStage } from './text-stage.js';

/** The header that requests the cache, and additional headers. */
export const cached = (more: Readonly<Record<string, string>> = {}): Record<string, string> => ({
  'x-openrouter-cache': 'true',
  ...more,
});

/** A request with a question. The question determines the cache key, so each test uses its own questions. */
export const asking = (question: string, more: object = {}): object => ({
  messages: [...HELLO, { role: 'user', content: question }],
  ...more,
});

export const cacheStatus = ({ headers }: ApiAnswer): string | null => headers.get('x-openrouter-cache-status');

/** The record of a call, by the id in its response header. */
// oxlint-disable-next-line typescript/no-explicit-any
export async function recordOf({ service }: TextStage, { headers }: ApiAnswer): Promise<any> {
  const { status, json } = await service.management.get(`/generation?id=${headers.get('x-generation-id')}`);
  if (status !== 200) throw new Error(`the call was not recorded: ${status}`);
  return json.data;
}

export const booksOf = ({ service }: TextStage): Promise<Books> => readBooks(service.sql);
