/** Requests that work unchanged, on models that need no vendor. */
export const IMAGE_EXAMPLES = {
  poster: {
    summary: 'One picture',
    value: { model: 'builtin/poster', prompt: 'A lighthouse above a stormy sea at night', seed: 7 },
  },
  sized: {
    summary: 'Two pictures of a given size, as WebP',
    value: {
      model: 'builtin/poster',
      prompt: 'Three paper boats on a quiet pond',
      n: 2,
      size: '1024x768',
      output_format: 'webp',
      output_compression: 80,
    },
  },
};

/** The same requests in the form of plain OpenAI clients. */
export const COMPATIBLE_IMAGE_EXAMPLES = {
  poster: {
    summary: 'One picture',
    value: {
      model: 'builtin/poster',
      prompt: 'A lighthouse above a stormy sea at night',
      size: '1024x1024',
      quality: 'standard',
      response_format: 'b64_json',
    },
  },
};
