/** The shortest file header by which a supported kind is detected, padded with bytes that are not text. */
const padded = (...parts: (string | number[])[]): Buffer =>
  Buffer.concat([
    ...parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))),
    Buffer.alloc(200, 0xfe),
  ]);

const OFFICE = 'application/vnd.openxmlformats-officedocument';

/** Samples, with the media type that must be reported. */
export const FILE_SAMPLES: readonly (readonly [mimeType: string, bytes: Buffer])[] = [
  ['application/pdf', padded('%PDF-1.7\n')],
  [
    'image/png',
    padded(
      [0x89],
      'PNG\r\n\x1a\n',
      [0, 0, 0, 13],
      'IHDR',
      [0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0, 1, 2, 3, 4],
      [0, 0, 0, 1],
      'IDAT',
    ),
  ],
  ['image/jpeg', padded([0xff, 0xd8, 0xff, 0xe0, 0, 16], 'JFIF')],
  ['image/gif', padded('GIF89a', [1, 0, 1, 0])],
  ['image/webp', padded('RIFF', [50, 0, 0, 0], 'WEBPVP8 ')],
  ['audio/mpeg', padded([0xff, 0xfb, 0x90, 0x64])],
  ['audio/wav', padded('RIFF', [50, 0, 0, 0], 'WAVEfmt ')],
  ['audio/flac', padded('fLaC', [0, 0, 0, 34])],
  [
    'audio/ogg',
    padded('OggS', [0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 0, 0, 0, 0, 1, 2, 3, 4, 1, 30], '\x01vorbis'),
  ],
  [`${OFFICE}.wordprocessingml.document`, zipOf('[Content_Types].xml', 'word/document.xml')],
  [`${OFFICE}.spreadsheetml.sheet`, zipOf('[Content_Types].xml', 'xl/workbook.xml')],
  [`${OFFICE}.presentationml.presentation`, zipOf('[Content_Types].xml', 'ppt/presentation.xml')],
];

/** A stored (uncompressed) zip archive of entries with these names, each with the same short XML document. */
export function zipOf(...names: string[]): Buffer {
  return zip(names.map((name) => ({ name, bytes: Buffer.from('<?xml version="1.0"?><x/>') })));
}

export function zip(entries: readonly { name: string; bytes: Buffer }[]): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, bytes } of entries) {
    const label = Buffer.from(name);
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(20, 0);
    shared.writeUInt32LE(bytes.length, 14);
    shared.writeUInt32LE(bytes.length, 18);
    shared.writeUInt16LE(label.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), shared, label, bytes]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02', 'latin1'), Buffer.from([20, 0]), shared, rest, label]));
    files.push(local);
    offset += local.length;
  }
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(Buffer.concat(directory).length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...files, ...directory, Buffer.from('PK\x05\x06', 'latin1'), end]);
}
