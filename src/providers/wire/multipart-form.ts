import { randomBytes } from 'node:crypto';

interface FormFile {
  readonly name: string;
  readonly fileName: string;
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

export interface EncodedForm {
  readonly contentType: string;
  readonly body: Buffer;
}

/**
 * A multipart/form-data body. Names, file names and media types must not contain quotes or line ends; they are not
 * escaped.
 */
export function encodeForm(
  fields: Iterable<readonly [name: string, value: string]>,
  files: readonly FormFile[],
): EncodedForm {
  const boundary = `gatehouse-${randomBytes(16).toString('hex')}`;
  const parts: Uint8Array[] = Array.from(fields, ([name, value]) =>
    Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`),
  );
  for (const file of files) {
    const head =
      `--${boundary}\r\ncontent-disposition: form-data; name="${file.name}"; ` +
      `filename="${file.fileName}"\r\ncontent-type: ${file.mediaType}\r\n\r\n`;
    parts.push(Buffer.from(head), file.bytes, Buffer.from('\r\n'));
  }
  parts.push(Buffer.from(`--${boundary}--\r\n`));
  return { contentType: `multipart/form-data; boundary=${boundary}`, body: Buffer.concat(parts) };
}
