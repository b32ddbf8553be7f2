import type { KeyboardEvent } from 'react';

/** Enter sends, and Shift+Enter starts a new line. An Enter that ends the composition of a character has no effect. */
export const sendOnEnter =
  (send: () => void) =>
  (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
