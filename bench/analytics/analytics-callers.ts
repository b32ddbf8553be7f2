/** Callers of analytics in a separate process, so that reading the responses does not delay the measurement. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { constants, setPriority } from 'node:os';
import { MANAGEMENT_KEY } from '../scenarios.js';

const KEPT = new Agent({ keepAlive: true });

/** Sends one query and returns the body as text. */
export async function askAnalytics(url: string, body: string): Promise<string> {
  const answer = await fetch(`${url}/api/v1/analytics/query`, {
    method: 'POST',
    headers: { authorization: `Bearer ${MANAGEMENT_KEY}`, 'content-type': 'application/json' },
    body,
  });
  if (answer.status !== 200) throw new Error(`analytics answered ${answer.status}: ${await answer.text()}`);
  return answer.text();
}

/** Sends one query and discards the body. */
function ask(url: string, body: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${MANAGEMENT_KEY}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    };
    request(`${url}/api/v1/analytics/query`, { method: 'POST', headers, agent: KEPT }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`analytics answered ${answer.statusCode}`));
      answer.on('end', resolve).on('error', reject).resume();
    })
      .on('error', reject)
      .end(body);
  });
}

/** Starts callers that send queries without pause. `end` stops them and returns the number of completed queries. */
export function askWithoutPause(url: string, requests: readonly string[], callers: number): { end(): Promise<number> } {
  const child = fork(import.meta.filename, { execArgv: process.execArgv });
  const answered = once(child, 'message') as Promise<[number]>;
  child.send({ url, requests, callers });
  return {
    end: async () => {
      child.send('end');
      const [count] = await Promise.race([
        answered,
        once(child, 'exit').then(([code]) => Promise.reject(new Error(`the callers of analytics ended with ${code}`))),
      ]);
      return count;
    },
  };
}

if (process.argv[1] === import.meta.filename) {
  // The callers represent other machines: reading the responses must not take CPU time from the service.
  setPriority(constants.priority.PRIORITY_LOW);
  const [{ url, requests, callers }] = (await once(process, 'message')) as [
    { url: string; requests: string[]; callers: number },
  ];
  let over = false;
  process.once('message', () => (over = true));
  let answered = 0;
  await Promise.all(
    Array.from({ length: callers }, async (_, caller) => {
      for (let turn = caller; !over; turn++, answered++) await ask(url, requests[turn % requests.length]!);
    }),
  );
  process.send!(answered, () => process.disconnect());
}
