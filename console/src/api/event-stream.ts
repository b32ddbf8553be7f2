/** The JSON values of a `text/event-stream` response, up to `[DONE]`. Comments are skipped. */
export async function* eventsOf<T>(response: Response): AsyncGenerator<T> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const lines = (rest + value).split('\n');
      rest = lines.pop()!;
      for (const line of lines) {
        if (!line.startsWith('data:')) continue;
        const text = line.slice('data:'.length).trim();
        if (text === '[DONE]') return;
        yield JSON.parse(text) as T;
      }
    }
  } finally {
    await reader.cancel();
  }
}
