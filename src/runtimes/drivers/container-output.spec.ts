import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { ContainerOutput } from './container-output.js';

function piece(stream: number, text: string): Buffer {
  const header = Buffer.alloc(8);
  header[0] = stream;
  header.writeUInt32BE(Buffer.byteLength(text), 4);
  return Buffer.concat([header, Buffer.from(text)]);
}

/** The standard output that these chunks contain. */
async function outputOf(chunks: readonly Buffer[]): Promise<string> {
  const source = new PassThrough();
  const output = buffer(source.pipe(new ContainerOutput()));
  for (const chunk of chunks) source.write(chunk);
  source.end();
  return (await output).toString('utf8');
}

describe('the output of a container', () => {
  it('is its standard output, without headers and without its standard error', async () => {
    const attached = Buffer.concat([piece(1, 'one'), piece(2, 'fault'), piece(1, ''), piece(1, ' é'), piece(0, 'in')]);
    expect(await outputOf([attached])).toBe('one é');
    expect(await outputOf(Array.from(attached, (byte) => Buffer.of(byte)))).toBe('one é');
    for (let cut = 1; cut < attached.length; cut++)
      expect(await outputOf([attached.subarray(0, cut), attached.subarray(cut)])).toBe('one é');
  });

  it('may arrive in any number of pieces without a stack overflow', async () => {
    const chunk = Buffer.concat(Array.from({ length: 50_000 }, () => piece(1, 'x')));
    expect(await outputOf([chunk, chunk])).toBe('x'.repeat(100_000));
  });

  it('applies backpressure while nobody reads it', () => {
    const output = new ContainerOutput();
    const chunk = piece(1, 'x'.repeat(65_536));
    let written = 0;
    while (output.write(chunk) && written < 100) written++;
    expect(written).toBeLessThan(10);
  });
});
