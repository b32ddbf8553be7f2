import { jest } from '@jest/globals';
import type { Redis } from 'ioredis';
import { RedisConnection } from './redis-connection.driver.js';

describe('a connection to Redis', () => {
  afterEach(() => void jest.useRealTimers());

  it('does not connect again after it was closed', () => {
    const connection = new RedisConnection('redis://127.0.0.1:1');
    const connect = jest.spyOn(connection.client as Redis, 'connect').mockResolvedValue(undefined);
    jest.useFakeTimers();
    connection.client.emit('end');
    connection.close();
    jest.advanceTimersByTime(10_000);
    expect(connect).not.toHaveBeenCalled();
  });
});
