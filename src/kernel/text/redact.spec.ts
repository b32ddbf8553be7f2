import { redact } from './redact.js';

const HEX = '0123456789abcdef'.repeat(4);

describe('the redactor', () => {
  it.each([
    [`key sk-gh-v1-${HEX} was used`, 'key sk-gh-v1-012...cdef was used'],
    ['the label sk-gh-v1-012...cdef', 'the label sk-gh-v1-012...cdef'],
    [
      'Incorrect API key provided: sk-proj-abcdefghijklmnop_1234. Find yours',
      'Incorrect API key provided: [redacted]. Find yours',
    ],
    ['Authorization: Bearer abc', 'Authorization: Bearer [redacted]'],
    ['authorization: "Basic dXNlcjpwYXNz"', 'authorization: "Basic [redacted]"'],
    [`{"Authorization":"Bearer ${HEX}","n":1}`, '{"Authorization":"Bearer [redacted]","n":1}'],
    ['x-api-key: 12345', 'x-api-key: [redacted]'],
    ["{ 'x-api-key': '12345' }", "{ 'x-api-key': '[redacted]' }"],
    ['sent Bearer abcdefgh.ijkl', 'sent Bearer [redacted]'],
    ['postgres://gatehouse:p@ss:w0rd@127.0.0.1:5432/db?x=1', 'postgres://gatehouse:[redacted]@127.0.0.1:5432/db?x=1'],
    ['redis://:secret@cache:6379', 'redis://:[redacted]@cache:6379'],
    [
      'GET https://vendor.example/v1?api_key=abc123&model=x',
      'GET https://vendor.example/v1?api_key=[redacted]&model=x',
    ],
    ['{"password":"hunter22","user":"a"}', '{"password":"[redacted]","user":"a"}'],
    ['MASTER_KEY=abcdef', 'MASTER_KEY=[redacted]'],
    ['client_secret: abc', 'client_secret: [redacted]'],
    ['AKIAIOSFODNN7EXAMPLE here', '[redacted] here'],
    ['a JWT eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc_def-1 end', 'a JWT [redacted] end'],
    ['-----BEGIN PRIVATE KEY-----\nMIIE\nabc\n-----END PRIVATE KEY----- after', '[redacted] after'],
    ['\u001b[31mBearer abcdefghij\u001b[39m', '\u001b[31mBearer [redacted]\u001b[39m'],
  ])('changes %j to %j, and does not change the result again', (line, masked) => {
    expect(redact(line)).toBe(masked);
    expect(redact(redact(line))).toBe(masked);
  });

  it.each([
    'POST /api/v1/keys failed: Error: no',
    'max_tokens: 12, tokens: 7, tokenizer: Other',
    'http://127.0.0.1:3000/api/v1/models/author/model:free',
    'https://user@host/path',
    '2026-11-20T10:00:00Z task-scheduler-with-a-long-hyphenated-name',
    'the key directory is empty',
    'Malformed Authorization header: send "Authorization: Bearer <API_KEY>"',
    'skip sketchy-words-that-begin-with-sk',
  ])('does not change %j', (line) => {
    expect(redact(line)).toBe(line);
  });

  // If the time grew with the square of the length, these tests would exceed the time limit of the suite.
  it.each([
    'a',
    'a-',
    'sk-',
    'http://',
    'x://a:',
    'Bearer ',
    '-----BEGIN PRIVATE KEY-----',
    ':@',
    'x_token',
    'a-token ',
    'eyJabcdefgh-',
    'eyJabcdefgh.',
    'authorization ',
    'password= ',
  ])('takes linear time for a megabyte of %j', (piece) => {
    expect(redact(piece.repeat(Math.ceil(1_000_000 / piece.length))).length).toBeGreaterThan(0);
  });

  it('truncates a long text, and leaves no part of a secret at its end', () => {
    const line = 'word '.repeat(10_000);
    expect(redact(line)).toMatch(/word.*… \(\d+ characters in all\)$/);
    expect(redact(line).length).toBeLessThan(33_000);
    for (let before = 32_000; before < 32_800; before += 7) {
      const cut = redact(`${'.'.repeat(before)} sk-${'secret0123456789'.repeat(40)} ${'.'.repeat(1_000)}`);
      expect(cut).not.toContain('secret0');
    }
  });
});
