import type { RunningService } from './service.js';
import { welcome } from './welcome.js';

const key = { shellExpression: '$(cat api-key)', toShow: null, file: null };

describe('the welcome', () => {
  it('lists a chat first among the commands to try', () => {
    const text = welcome({
      origin: 'http://127.0.0.1:3000',
      keys: { standard: key, management: key },
      consoleLink: null,
    } as unknown as RunningService);
    const commands = text.split('\n').filter((line) => line.startsWith('  curl '));
    expect(commands.map((line) => /\/api\/v1(\/\S+)/.exec(line)?.[1])).toEqual([
      '/chat/completions',
      '/models',
      '/audio/speech',
      '/images',
    ]);
    expect(commands[0]).toContain('builtin/eliza');
    for (const command of commands) expect(command).toContain('--fail-with-body');
  });
});
