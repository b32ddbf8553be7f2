/** The first bytes of raster pictures; `null` matches any byte. */
const SIGNATURES: readonly (readonly [mediaType: string, signature: readonly (number | null)[]])[] = [
  ['image/png', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ['image/jpeg', [0xff, 0xd8, 0xff]],
  ['image/gif', [0x47, 0x49, 0x46, 0x38, null, 0x61]],
  ['image/webp', [0x52, 0x49, 0x46, 0x46, null, null, null, null, 0x57, 0x45, 0x42, 0x50]],
  ['image/avif', [null, null, null, null, 0x66, 0x74, 0x79, 0x70, 0x61, 0x76, 0x69]],
  ['image/heic', [null, null, null, null, 0x66, 0x74, 0x79, 0x70, 0x68, 0x65, 0x69]],
  ['image/heic', [null, null, null, null, 0x66, 0x74, 0x79, 0x70, 0x6d, 0x69, 0x66]],
];

/** The media type of a raster picture by its first bytes; undefined if the type is unknown. */
export function imageTypeOf(bytes: Uint8Array): string | undefined {
  return SIGNATURES.find(
    ([, signature]) =>
      bytes.length > signature.length && signature.every((byte, index) => byte === null || bytes[index] === byte),
  )?.[0];
}
