import { Logger } from '@nestjs/common';
import { serviceLogger } from './service-logger.js';

describe('the log of the service', () => {
  const written: string[] = [];
  const write = { stdout: process.stdout.write, stderr: process.stderr.write };
  beforeEach(() => {
    written.length = 0;
    for (const stream of [process.stdout, process.stderr])
      stream.write = (chunk: string | Uint8Array) => written.push(String(chunk)) > 0;
  });
  afterEach(() => {
    Object.assign(process.stdout, { write: write.stdout });
    Object.assign(process.stderr, { write: write.stderr });
  });

  it.each(['fatal', 'error', 'warn', 'log', 'debug', 'verbose'] as const)(
    'passes every %s through the redactor: text, objects and stacks',
    (level) => {
      const log = serviceLogger('debug') as Logger;
      const secret = 'sk-a-vendor-key-0123456789';

      log[level](`The vendor said: ${secret} is wrong`, 'test');
      log[level]({ headers: { authorization: `Bearer ${secret}` } }, 'test');
      log[level](new Error(`with ${secret}`).stack, 'stack', 'test');
      if (level === 'error') log.error('failed', new Error(`with ${secret}`).stack, 'test');

      expect(written.length).toBeGreaterThan(2);
      expect(written.join('')).toContain('[redacted]');
      expect(written.filter((line) => line.includes(secret))).toEqual([]);
    },
  );

  it('tells nothing below its level', () => {
    serviceLogger('warn').log('hello', 'test');
    serviceLogger('silent').error('hello', 'test');

    expect(written).toEqual([]);
  });
});
