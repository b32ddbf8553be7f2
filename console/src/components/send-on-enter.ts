import type { KeyboardEvent } from 'react';

/** Enter sends, Shift+Enter begins a line; Enter that ends a composition of characters does neither. */
export const sendOnEnter =
  (send: () => void) =>
  (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
