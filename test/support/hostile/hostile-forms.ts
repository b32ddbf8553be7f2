/** A body that is not a valid form with one file, its headers, and the expected status. */
export interface HostileForm {
  readonly what: string;
  readonly body: Buffer;
  readonly contentType: string | null;
  readonly status: 400 | 413;
  readonly headers?: Readonly<Record<string, string>>;
}

const B = 'xBOUNDARYx';
const FORM = `multipart/form-data; boundary=${B}`;
const CRLF = '\r\n';
const DISPOSITION = 'Content-Disposition: form-data; name="file"; filename="a.txt"';

const bytes = (text: string): Buffer => Buffer.from(text, 'latin1');
const part = (headers: string, content = 'hello'): string => `--${B}${CRLF}${headers}${CRLF}${CRLF}${content}${CRLF}`;
const form = (...parts: string[]): Buffer => bytes(`${parts.join('')}--${B}--${CRLF}`);
const good = form(part(DISPOSITION));
/** A form with one file of this length. Made of buffers, because a string of 100 MB takes ten times as long. */
const formOfLength = (length: number): Buffer =>
  Buffer.concat([
    bytes(`--${B}${CRLF}${DISPOSITION}${CRLF}${CRLF}`),
    Buffer.alloc(length, 'x'),
    bytes(`${CRLF}--${B}--${CRLF}`),
  ]);

const bad = (
  what: string,
  body: Buffer,
  contentType: string | null = FORM,
  extra: Partial<HostileForm> = {},
): HostileForm => ({ what, body, contentType, status: 400, ...extra });

const types = [
  null,
  '',
  'text/plain',
  'application/json',
  'application/x-www-form-urlencoded',
  'multipart/mixed; boundary=x',
  'multipart/form-data',
  'multipart/form-data;',
  'multipart/form-data; boundary',
  'multipart/form-data; boundary=',
  'multipart/form-data; boundary=""',
  `multipart/form-data; boundary=${'b'.repeat(71)}`,
  'multipart/form-data; bound=x',
  'multipart/form-datax; boundary=x',
  'application/octet-stream',
];

const dispositions = [
  'X-Nothing: here',
  'Content-Disposition: form-data',
  'Content-Disposition: form-data; name="file"',
  'Content-Disposition: form-data; filename="a.txt"',
  'Content-Disposition: form-data; name=""; filename="a.txt"',
  'Content-Disposition: form-data; name="files"; filename="a.txt"',
  'Content-Disposition: form-data; name="FILE"; filename="a.txt"',
  'Content-Disposition: form-data; name="file[]"; filename="a.txt"',
  'Content-Disposition: form-data; name="__proto__"; filename="a.txt"',
  'Content-Disposition: form-data; name="constructor"; filename="a.txt"',
  'Content-Disposition: attachment; name="file"; filename="a.txt"',
  'Content-Disposition: ; name="file"; filename="a.txt"',
  'Content-Disposition form-data; name="file"; filename="a.txt"',
  ': form-data; name="file"; filename="a.txt"',
  'Content-Type: text/plain',
  'Content-Disposition: form-data; name="fi\nle"; filename="a.txt"',
  'Content-Disposition: form-data; name="file"; filename="a\nb.txt"',
  `X-Long: ${'x'.repeat(20_000)}${CRLF}${DISPOSITION}`,
  `${Array.from({ length: 50 }, (_, number) => `X-${number}: y`).join(CRLF)}${CRLF}${DISPOSITION}`,
  '\u0000\u0001\u0002',
];

const cutOff = [1, 5, 12, 13, 14, 30, 60, 80, good.length - 20, good.length - 16, good.length - 5].map((length) =>
  bad(`a form cut off after ${length} bytes`, good.subarray(0, length)),
);

const around = [
  bad('nothing at all', Buffer.alloc(0)),
  bad('the closing boundary only', bytes(`--${B}--`)),
  bad('boundaries without parts', bytes(`--${B}${CRLF}--${B}${CRLF}--${B}--`)),
  bad('line endings without carriage returns', bytes(good.toString('latin1').replaceAll(CRLF, '\n'))),
  bad('a boundary that differs from the header', bytes(good.toString('latin1').replaceAll(B, 'other'))),
  bad('a boundary in lower case', bytes(good.toString('latin1').replaceAll(B, B.toLowerCase()))),
  bad('a boundary with an additional character', bytes(good.toString('latin1').replaceAll(B, `${B}y`))),
  bad('dashes only', Buffer.alloc(10_000, 0x2d)),
  bad('line endings only', Buffer.alloc(10_000, 0x0a)),
  bad('zeros', Buffer.alloc(10_000)),
  bad('text without any boundary', Buffer.alloc(10_000, 0x61)),
  bad('JSON with the content type of a form', bytes('{"file":"hello"}')),
  bad('a preamble and no form', bytes(`This is a message${CRLF}in several parts${CRLF}`)),
  bad('a header block that never ends', bytes(`--${B}${CRLF}${DISPOSITION}${CRLF}${'X: y\r\n'.repeat(3_000)}`)),
  bad('a preamble larger than any form', Buffer.concat([Buffer.alloc(104_857_600 + 70_000, 0x20)]), FORM, {
    status: 413,
  }),
];

const several = [
  bad('two files', form(part(DISPOSITION), part(DISPOSITION))),
  bad('an empty second file', form(part(DISPOSITION), part(DISPOSITION, ''))),
  bad(
    'an unterminated field after the file',
    bytes(`${part(DISPOSITION)}--${B}${CRLF}Content-Disposition: form-data; name="purpose"${CRLF}${CRLF}x`),
  ),
  bad('a thousand files', form(...Array.from({ length: 1_000 }, () => part(DISPOSITION)))),
  bad(
    'ten thousand fields',
    form(...Array.from({ length: 10_000 }, (_, number) => part(`Content-Disposition: form-data; name="f${number}"`))),
  ),
  bad('a large file and a second one', form(part(DISPOSITION, 'x'.repeat(300_000)), part(DISPOSITION))),
  bad(
    'two files with a field between them',
    form(part(DISPOSITION), part('Content-Disposition: form-data; name="purpose"'), part(DISPOSITION)),
  ),
  bad(
    'a file and a field of the same name',
    form(part(DISPOSITION), part('Content-Disposition: form-data; name="file"')),
  ),
  bad(
    'a file after a hundred fields',
    form(
      ...Array.from({ length: 100 }, (_, number) => part(`Content-Disposition: form-data; name="f${number}"`)),
      part(DISPOSITION),
    ),
  ),
  bad(
    'a file of another name only',
    form(part(DISPOSITION.replace('"file"', '"other"')), part('Content-Disposition: form-data; name="purpose"')),
  ),
  bad('an unterminated second part', bytes(`${part(DISPOSITION)}--${B}${CRLF}${DISPOSITION}${CRLF}${CRLF}x`)),
  bad(
    'a nested form in a part with another name',
    form(
      part(
        'Content-Disposition: form-data; name="files"\r\nContent-Type: multipart/mixed; boundary=inner',
        `--inner${CRLF}Content-Disposition: file; filename="a"${CRLF}${CRLF}x${CRLF}--inner--`,
      ),
    ),
  ),
];

const contents = [
  bad('an empty file', form(part(DISPOSITION, ''))),
  bad('a file without even an empty line', form(`--${B}${CRLF}${DISPOSITION}${CRLF}`)),
  bad('an empty file with an empty name', form(part('Content-Disposition: form-data; name="file"; filename=""', ''))),
  bad('a compressed body', good, FORM, { headers: { 'content-encoding': 'gzip' } }),
  bad('a body with two content encodings', good, FORM, { headers: { 'content-encoding': 'gzip, br' } }),
  bad('a file that is one byte too large', formOfLength(104_857_601), FORM, { status: 413 }),
  bad('a file far too large', formOfLength(105_200_000), FORM, { status: 413 }),
  bad(
    'a large file and an epilogue that is too large',
    Buffer.concat([formOfLength(104_857_600), Buffer.alloc(70_000, 0x20)]),
    FORM,
    { status: 413 },
  ),
];

/** More than eighty forms; a few are as large as the largest file. */
export const HOSTILE_FORMS: readonly HostileForm[] = [
  ...types.map((contentType) => bad(`a form with the content type ${JSON.stringify(contentType)}`, good, contentType)),
  ...dispositions.map((headers) =>
    bad(`a part with the headers ${JSON.stringify(headers.slice(0, 80))}`, form(part(headers))),
  ),
  ...cutOff,
  ...around,
  ...several,
  ...contents,
];

export const GOOD_FORM = { body: good, contentType: FORM } as const;

const PURPOSE = part('Content-Disposition: form-data; name="purpose"', 'assistants');
const OTHER_FILE = part(DISPOSITION.replace('"file"', '"thumbnail"'), 'x'.repeat(30_000));

/** Forms with one part named `file` and others, which are ignored. */
export const FORMS_WITH_EXTRA_PARTS: readonly (readonly [what: string, body: Buffer])[] = [
  ['a field before the file', form(PURPOSE, part(DISPOSITION))],
  ['a field after the file', form(part(DISPOSITION), PURPOSE)],
  [
    'fields before and after the file',
    form(PURPOSE, PURPOSE, part(DISPOSITION), part('Content-Disposition: form-data; name="__proto__"')),
  ],
  ['an empty field', form(part('Content-Disposition: form-data; name="purpose"', ''), part(DISPOSITION))],
  ['a file in a part named thumbnail, before the file', form(OTHER_FILE, part(DISPOSITION))],
  ['a file in a part named thumbnail, after the file', form(part(DISPOSITION), OTHER_FILE)],
  ['a part without a disposition, before the file', form(part('X: y'), part(DISPOSITION))],
  ['an attachment after the file', form(part(DISPOSITION), part('Content-Disposition: attachment; filename="b"'))],
  [
    'ninety-nine fields before it',
    form(
      ...Array.from({ length: 99 }, (_, number) => part(`Content-Disposition: form-data; name="f${number}"`)),
      part(DISPOSITION),
    ),
  ],
];
