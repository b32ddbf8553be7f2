import { exactHostName } from './host-names.js';

describe('the hosts to which a secret is bound', () => {
  it.each([
    ['api.example.com', 'api.example.com'],
    ['API.Example.COM', 'api.example.com'],
    ['api.example.com.', 'api.example.com'],
    ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
    ['localhost', 'localhost'],
    ['my_host.example', 'my_host.example'],
    [`${'a'.repeat(63)}.example`, `${'a'.repeat(63)}.example`],
  ])('are read from %s as %s', (text, name) => {
    expect(exactHostName(text)).toBe(name);
  });

  it.each([
    '',
    '.',
    '..',
    ' ',
    'a..b',
    'a.example..',
    '.example.com',
    '*.example.com',
    'https://example.com',
    'example.com:443',
    'example.com/path',
    'user@example.com',
    '127.0.0.1',
    '[::1]',
    '::1',
    '0x7f.1',
    '2130706433',
    'bücher.example',
    'ｅxample.com',
    'exa\u212Ample.com',
    '-a.example',
    'a-.example',
    `${'a'.repeat(64)}.example`,
    `${'a.'.repeat(126)}example`,
    'example.com\n',
    'exam ple.com',
    'example.com?x',
    'example.com#x',
    'example.com%2e',
  ])('may not be %j', (text) => {
    expect(exactHostName(text)).toBeUndefined();
  });
});
