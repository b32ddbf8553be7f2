import type { ImageCall } from '../../ports/image-adapter.port.js';
import { encodeForm, type EncodedForm } from '../../wire/multipart-form.js';
import { supportedFields } from './compatible-endpoint.js';
import type { CompatibleVendor } from './compatible-vendor.js';

/** The number of previews of a stream if the caller sets none. */
const PREVIEWS = 2;

const EXTENSION: Readonly<Record<string, string>> = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/webp': 'webp' };

/** The request's fields, for JSON and for a form. Our fields override the caller's passthrough options. */
export function imageFields(call: ImageCall, vendor: CompatibleVendor, streamed: boolean): Record<string, unknown> {
  return supportedFields(vendor, {
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
    user: call.endUser,
    response_format: vendor.requestsBase64 ? 'b64_json' : undefined,
    stream: streamed ? true : undefined,
  });
}

/** The form for `/images/edits`: fields as text, reference pictures as files. */
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
  return encodeForm(Object.entries(texts), files);
}
