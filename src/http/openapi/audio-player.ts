/** The part of React in Swagger UI that the plugin uses. */
interface React {
  createElement(type: unknown, props: object, ...children: unknown[]): unknown;
  useMemo<T>(make: () => T, dependencies: readonly unknown[]): T;
}

interface ResponseBodyProps {
  readonly contentType?: string;
  /** A Blob if the response is not text. */
  readonly content: unknown;
}

/**
 * A plugin of Swagger UI that plays the received bytes of audio. Swagger UI itself would request the operation's URL
 * again, by GET and without the key. The plugin runs in the browser, from its own source text, so it must not refer to
 * anything else in this file.
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
