import type { ScriptedCall, ScriptedReply } from '../../vendors/scripted-model.js';

/** A page or a file that gives an agent instructions. */
export interface Injection {
  readonly name: string;
  /** The instruction as prose, for readers. `calls`: the calls of a model that follows it. */
  readonly text: string;
  readonly calls: readonly ScriptedCall[];
}

const MARK = 'CALL ';
/** An agent refuses a model response with more than 32 calls. */
const MAX_CALLS_AT_ONCE = 30;

/** The text, with its calls in a form that `obey` finds. */
export const textOfInjection = ({ text, calls }: Injection): string =>
  `${text}\n${calls.map((call) => `${MARK}${JSON.stringify(call)}\n`).join('')}`;

/** A model response with every call that the tool results of the newest turn contain, each once. */
// oxlint-disable-next-line typescript/no-explicit-any
export function obey(json: any, first: ScriptedCall, obeyed: Set<string>): ScriptedReply {
  const messages = json.messages as { role: string; content: string }[];
  if (messages.at(-1)!.role === 'user') return { calls: [first] };
  const results = messages.slice(messages.findLastIndex(({ role }) => role === 'user'));
  const named = results.flatMap(({ role, content }) =>
    role === 'tool' ? content.split('\n').filter((line) => line.startsWith(MARK)) : [],
  );
  const fresh = [...new Set(named)].filter((line) => !obeyed.has(line)).slice(0, MAX_CALLS_AT_ONCE);
  for (const line of fresh) obeyed.add(line);
  const calls = fresh.map((line) => JSON.parse(line.slice(MARK.length)) as ScriptedCall);
  return calls.length > 0 ? { text: 'At once.', calls } : { text: 'I did all that the page said.' };
}

export const request = (url: string, more: object = {}): ScriptedCall => ({
  name: 'http_request',
  arguments: { url, ...more },
});
export const post = (url: string, body: string, more: object = {}): ScriptedCall =>
  request(url, { method: 'POST', body, ...more });
export const read = (path: string): ScriptedCall => ({ name: 'read_file', arguments: { path } });
export const list = (path: string): ScriptedCall => ({ name: 'list_files', arguments: { path } });
export const write = (path: string, content: string): ScriptedCall => ({
  name: 'write_file',
  arguments: { path, content },
});
export const append = (path: string, content: string): ScriptedCall => ({
  name: 'write_file',
  arguments: { path, content, append: true },
});
/** Runs JavaScript, because images contain nothing but Node. */
export const run = (script: string): ScriptedCall => ({
  name: 'run_command',
  arguments: { command: ['node', '-e', script], timeout_seconds: 5 },
});
