/** Requests that work unchanged, on models that need no vendor. */
export const SPEECH_EXAMPLES = {
  mp3: {
    summary: 'MP3',
    value: {
      model: 'builtin/flite',
      voice: 'slt',
      response_format: 'mp3',
      input: 'Good morning. This is Gatehouse speaking.',
    },
  },
  slowPcm: {
    summary: 'PCM, slowly',
    value: {
      model: 'builtin/flite',
      voice: 'rms',
      response_format: 'pcm',
      speed: 0.75,
      input: 'All good things take their time.',
    },
  },
};
