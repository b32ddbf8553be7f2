import { setImmediate as turn } from 'node:timers/promises';
import type { Notifications } from '../../database/notifications.js';
import type { Sql } from '../../database/sql.js';
import { IssuedKeys } from './issued-keys.js';

const HASH = 'a'.repeat(64);

describe('the filter of issued keys', () => {
  let read = Promise.withResolvers<{ hash: string }[]>();
  let loseNotifications = (): void => undefined;
  const notifications = {
    isListening: true,
    on: () => undefined,
    onGap: (handler: () => void) => (loseNotifications = handler),
  };
  const sql = { query: () => read.promise };
  const newFilter = (): IssuedKeys => {
    read = Promise.withResolvers();
    return new IssuedKeys(sql as unknown as Sql, notifications as unknown as Notifications);
  };

  it('excludes a key that is not among the keys in the database', async () => {
    const issued = newFilter();
    expect(issued.mayExist(HASH)).toBe(true);
    read.resolve([]);
    await turn();
    expect(issued.mayExist(HASH)).toBe(false);
  });

  it('excludes no key if notifications were lost while the keys were read', async () => {
    const issued = newFilter();
    expect(issued.mayExist(HASH)).toBe(true);
    loseNotifications();
    read.resolve([]);
    await turn();
    expect(issued.mayExist(HASH)).toBe(true);
  });
});
