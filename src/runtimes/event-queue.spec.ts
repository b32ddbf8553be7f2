import { EventQueue } from './event-queue.js';

describe('the events of a turn', () => {
  it('count towards the limit only until they are read, even if the reader is always one event behind', async () => {
    const queue = new EventQueue();
    const events = queue[Symbol.asyncIterator]();
    const text = 'x'.repeat(1_000_000);
    const accepted: boolean[] = [queue.push({ type: 'text', text })];
    for (const type of ['reasoning', 'text', 'reasoning', 'text', 'reasoning'] as const) {
      accepted.push(queue.push({ type, text }));
      expect((await events.next()).value).toMatchObject({ text });
    }
    expect(accepted).toEqual(accepted.map(() => true));
  });
});
