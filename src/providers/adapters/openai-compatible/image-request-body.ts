import type { ImageCall } from '../../spec/image-adapter.port.js';
import { encodeForm, type EncodedForm } from '../../wire/multipart-form.js';
import { fitBody } from './compatible-endpoint.js';
import type { CompatibleVendor } from './vendors.js';

/** Previews asked for where the caller asks for a stream and names no number: enough to see the picture grow. */
const PREVIEWS = 2;

const EXTENSION: Readonly<Record<string, string>> = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/webp': 'webp' };

/** What is asked of the vendor, whether as JSON or as a form. The caller's passthrough options stand before ours. */
export function imageFields(call: ImageCall, vendor: CompatibleVendor, streamed: boolean): Record<string, unknown> {
  return fitBody(vendor, {
    ...call.options,
    partial_images: streamed ? (call.options['partial_images'] ?? PREVIEWS) : undefined,
    model: call.upstreamModel,
    prompt: call.prompt,
    n: call.n,
    size: call.width !== undefined && call.height !== undefined ? `${call.width}x${call.height}` : undefined,
    quality: call.quality,
    background: call.background,
    output_format: call.format,
    output_compression: call.compression,
    seed: call.seed,
    user: call.user,
    response_format: vendor.asksForBase64 ? 'b64_json' : undefined,
    stream: streamed ? true : undefined,
  });
}

/** The edit of references is a form: its fields as text, the pictures as files. */
export function editForm(fields: Readonly<Record<string, unknown>>, call: ImageCall): EncodedForm {
  const texts = Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
  const files = call.references.map((reference, index) => {
    const extension = EXTENSION[reference.mediaType];
    return {
      name: 'image[]',
      fileName: `reference-${index}.${extension ?? 'bin'}`,
      mediaType: extension ? reference.mediaType : 'application/octet-stream',
      bytes: reference.bytes,
    };
  });
  return encodeForm(texts, files);
}
