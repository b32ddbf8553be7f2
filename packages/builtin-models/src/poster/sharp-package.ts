type Sharp = typeof import('sharp');

let loading: Promise<Sharp['default']> | undefined;

/** sharp, loaded with the first picture, because libvips takes about 30 MB. */
export function sharpPackage(): Promise<Sharp['default']> {
  loading ??= import('sharp').then(({ default: sharp }) => {
    // Disable libvips' cache of decoded pictures and its use of all cores for one picture.
    sharp.cache(false);
    sharp.concurrency(1);
    return sharp;
  });
  return loading;
}
