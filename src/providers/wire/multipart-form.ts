import { randomBytes } from 'node:crypto';

export interface FormFile {
  readonly name: string;
  readonly fileName: string;
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

export interface EncodedForm {
  readonly contentType: string;
  readonly body: Buffer;
}

/** A multipart/form-data body. Names, file names and media types are of our own making: they hold no quotes or line ends. */
export function encodeForm(fields: Readonly<Record<string, string>>, files: readonly FormFile[]): EncodedForm {
  const boundary = `gatehouse-${randomBytes(16).toString('hex')}`;
  const parts: Uint8Array[] = Object.entries(fields).map(([name, value]) =>
    Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`),
  );
  for (const file of files) {
    const head = `--${boundary}\r\ncontent-disposition: form-data; name="${file.name}"; filename="${file.fileName}"\r\ncontent-type: ${file.mediaType}\r\n\r\n`;
    parts.push(Buffer.from(head), file.bytes, Buffer.from('\r\n'));
  }
  parts.push(Buffer.from(`--${boundary}--\r\n`));
  return { contentType: `multipart/form-data; boundary=${boundary}`, body: Buffer.concat(parts) };
}
