import type { LoggerService } from '@nestjs/common';
import { Logger } from '@nestjs/common';
import { inRequestScope, outsideRequests, RequestScope } from '../../kernel/request-scope.js';
import { serviceLogger, type LoggerOptions } from './service-logger.js';

const SECRET = 'sk-a-vendor-key-0123456789';
const HEX = '0123456789abcdef'.repeat(4);

describe.each(['json', 'text'] as const)('the log of the service, as %s', (format) => {
  const written: string[] = [];
  const destination = { write: (text: string) => void written.push(text), flushSync: () => undefined };
  const logger = (level: LoggerOptions['level']): LoggerService => serviceLogger({ level, format, destination });
  const lines = (): Record<string, unknown>[] => written.map((line) => JSON.parse(line) as Record<string, unknown>);
  beforeEach(() => void (written.length = 0));

  it.each(['fatal', 'error', 'warn', 'log', 'debug', 'verbose'] as const)(
    'passes every line of the level %s through the redactor: text, members and stacks',
    (level) => {
      const log = logger('debug') as Logger;

      log[level](`The vendor said: ${SECRET} is wrong`, 'test');
      log[level](`A line, then\n${SECRET}\tand "${SECRET}" and \\${SECRET}`, 'test');
      log[level]({ headers: { authorization: `Bearer ${SECRET}` } }, 'test');
      log[level]('failed', { deep: [{ password: 'hunter22', key: `sk-gh-v1-${HEX}` }] }, 'test');
      log[level](new Error(`with ${SECRET}`), 'test');
      log[level](new Error(`with ${SECRET}`).stack, 'stack', 'test');
      if (level === 'error') log.error('failed', new Error(`with ${SECRET}`).stack, 'test');

      expect(written.length).toBeGreaterThan(5);
      expect(written.join('')).toContain('[redacted]');
      expect(
        written.filter((line) => line.includes(SECRET) || line.includes('hunter22') || line.includes(HEX)),
      ).toEqual([]);
      if (format === 'json') expect(lines().every(({ context }) => context === 'test')).toBe(true);
    },
  );

  it('omits lines below its level', () => {
    logger('warn').log('hello', 'test');
    logger('silent').error('hello', 'test');
    logger('info').debug!('hello', 'test');

    expect(written).toEqual([]);
  });

  it("omits the framework's startup lines, and its report of an error at startup", () => {
    logger('debug').log('Mapped {/x, GET} route', 'RouterExplorer');
    logger('debug').error('no', 'a stack', 'ExceptionHandler');

    expect(written).toEqual([]);
  });

  it('adds the id of the current request to a line, and no id outside requests', async () => {
    const log = logger('info');
    const scope = new RequestScope('0190b5e5-7b1c-7000-8000-000000000001');
    await inRequestScope(scope, async () => {
      log.warn('one', 'test');
      await new Promise(setImmediate);
      scope.generationId = 'gen-1';
      log.warn('two', 'test');
      outsideRequests(() => log.warn('three', 'test'));
    });
    log.warn('four', 'test');

    expect(written.map((line) => line.includes(scope.requestId))).toEqual([true, true, false, false]);
    expect(written.map((line) => line.includes('gen-1'))).toEqual([false, true, false, false]);
  });

  it('writes each call as one line with its time, level and context', () => {
    logger('info').warn('Redis is away', 'RateLimits');
    logger('info').warn('It failed', { provider: 'openai', vendor_status: 500 }, 'vendors');

    if (format === 'json') {
      expect(lines()).toEqual([
        { level: 'warn', time: expect.stringMatching(/^\d{4}-.*Z$/), context: 'RateLimits', msg: 'Redis is away' },
        {
          level: 'warn',
          time: expect.stringMatching(/^\d{4}-.*Z$/),
          context: 'vendors',
          msg: 'It failed',
          provider: 'openai',
          vendor_status: 500,
        },
      ]);
    } else {
      expect(written[0]).toMatch(
        /^\[\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}\.\d{3}\] WARN: \[RateLimits\] Redis is away\n$/,
      );
      expect(written[1]).toMatch(/WARN: \[vendors\] It failed \{.*"provider":"openai","vendor_status":500\}\n$/);
    }
  });
});
