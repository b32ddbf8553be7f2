import { StringDecoder } from 'node:string_decoder';

/** The `data` of each event of an event stream, in order. Throws if a line is longer than `maxCharacters`. */
export async function* eventData(stream: AsyncIterable<Buffer>, maxCharacters: number): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  for await (const part of stream) {
    const lines = (rest + decoder.write(part)).split('\n');
    rest = lines.pop()!;
    if (rest.length > maxCharacters) throw new Error('an event is too long');
    for (const line of lines) if (line.startsWith('data:')) yield line.slice(5).trim();
  }
}
