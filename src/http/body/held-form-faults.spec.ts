import { GatewayError } from '../../kernel/errors/errors.js';
import { readHeldForm, type HeldForm } from './held-form.js';

const BYTES = Buffer.from([0x89, 0x50, 0, 13, 10, 45, 45, 255]);
const TYPE = 'multipart/form-data; boundary=b';

const part = (head: string, text: string): string => `--b\r\nContent-Disposition: form-data${head}\r\n\r\n${text}\r\n`;
const read = (text: string): Promise<HeldForm> => readHeldForm(Buffer.from(`${text}--b--\r\n`), TYPE);
/** A form with a text and a file. */
const formOf = (bytes: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(part('; name="n"', '1')),
    Buffer.from('--b\r\nContent-Disposition: form-data; name="image[]"; filename="a.png"\r\n\r\n'),
    bytes,
    Buffer.from('\r\n--b--\r\n'),
  ]);

describe('a form in memory', () => {
  it('is refused if it is cut off at any byte, without waiting for further bytes', async () => {
    const body = formOf(BYTES);
    // The line break after the closing boundary is optional.
    for (let length = 0; length < body.length - 2; length++) {
      const thrown: unknown = await readHeldForm(body.subarray(0, length), TYPE).then(
        () => `accepted at ${length}`,
        (error: unknown) => error,
      );
      expect([length, thrown]).toEqual([length, expect.any(GatewayError)]);
    }
  });

  it('keeps every byte of a large file', async () => {
    const bytes = Buffer.from(Array.from({ length: 3_000_000 }, (_, index) => (index * 7) % 256));
    const { files } = await readHeldForm(formOf(bytes), TYPE);
    expect(files.map((file) => [file.field, file.bytes.equals(bytes)])).toEqual([['image[]', true]]);
  });

  it('accepts __proto__ and constructor as names of parts, and a part without a name', async () => {
    const { fields } = await read(part('; name="__proto__"', 'a') + part('; name="constructor"', 'b') + part('', 'c'));
    expect([fields.get('__proto__'), fields.get('constructor')]).toEqual([['a'], ['b']]);
  });

  it('may have at most 100 parts', async () => {
    const { fields } = await read(part('; name="words"', 'x').repeat(100));
    expect(fields.get('words')).toHaveLength(100);
    await expect(read(part('; name="words"', 'x').repeat(101))).rejects.toThrow('too many parts');
  });

  it('may have text parts of at most 262,144 bytes', async () => {
    const { fields } = await read(part('; name="prompt"', 'x'.repeat(262_144)));
    expect(fields.get('prompt')![0]).toHaveLength(262_144);
    await expect(read(part('; name="prompt"', 'x'.repeat(262_145)))).rejects.toThrow(
      '"prompt" of the form is too long',
    );
    await expect(read(part('', 'x'.repeat(262_145)))).rejects.toThrow(GatewayError);
  });
});
