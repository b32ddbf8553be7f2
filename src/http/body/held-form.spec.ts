import { readHeldForm } from './held-form.js';

const TYPE = 'multipart/form-data; boundary=b';
const part = (disposition: string, value: string): string =>
  `--b\r\ncontent-disposition: form-data; ${disposition}\r\n\r\n${value}\r\n`;
const END = '--b--\r\n';
const read = (text: string, type = TYPE) => readHeldForm(Buffer.from(text, 'latin1'), type);

describe('a form in memory', () => {
  it('is parsed into its texts, by the name of their part and in order, and into its files', async () => {
    const file = 'file\0 bytes\r\n--not the boundary';
    const { fields, files } = await read(
      part('name="a"', '1') +
        part('name="list[]"', 'x') +
        part('name="file"; filename="speech.wav"', file) +
        part('name="list[]"', 'y') +
        part('name="empty"', '') +
        END,
    );
    expect(Object.fromEntries(fields)).toEqual({ a: ['1'], 'list[]': ['x', 'y'], empty: [''] });
    expect(files).toEqual([{ field: 'file', fileName: 'speech.wav', bytes: Buffer.from(file, 'latin1') }]);
  });

  it.each([
    ['no closing boundary', part('name="a"', '1')],
    ['a file that is cut off', part('name="file"; filename="f"', 'bytes').slice(0, -4)],
    ['a head that is cut off', '--b\r\ncontent-disposition: form-da'],
    ['no boundary at all', 'text'],
    ['nothing', ''],
  ])('is refused with %s', async (_, text) => {
    await expect(read(text)).rejects.toMatchObject({ kind: 'invalid_request' });
  });

  it.each(['multipart/form-data', 'multipart/form-data; boundary=', 'text/plain; boundary=b'])(
    'is refused with the content type %s',
    async (type) => {
      await expect(read(part('name="a"', '1') + END, type)).rejects.toMatchObject({ kind: 'invalid_request' });
    },
  );
});
