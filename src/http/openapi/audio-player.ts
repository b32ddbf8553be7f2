/** As much of Swagger UI's React as the plugin uses. */
interface React {
  createElement(type: unknown, props: object, ...children: unknown[]): unknown;
  useMemo<T>(make: () => T, dependencies: readonly unknown[]): T;
}

interface ResponseBodyProps {
  readonly contentType?: string;
  /** A Blob where the response is no text. */
  readonly content: unknown;
}

/**
 * A plugin of Swagger UI, which plays audio by requesting the operation's URL again, by GET and without the key. The
 * plugin plays the bytes that were received. It runs in the browser, from its own text: it must not refer to anything
 * else in this file.
 */
export function audioPlayer({ React }: { readonly React: React }): object {
  const Player = ({ content }: { readonly content: Blob }): unknown => {
    const src = React.useMemo(() => URL.createObjectURL(content), [content]);
    return React.createElement(
      'div',
      {},
      React.createElement('audio', { controls: true, src }),
      React.createElement('a', { href: src, download: 'speech' }, 'Download'),
    );
  };
  return {
    wrapComponents: {
      responseBody: (original: unknown) => (props: ResponseBodyProps) =>
        props.content instanceof Blob && (props.contentType ?? '').startsWith('audio/')
          ? React.createElement(Player, { content: props.content })
          : React.createElement(original, props),
    },
  };
}
