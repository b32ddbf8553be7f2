import { useEffect, useRef, type RefObject } from 'react';

/**
 * A button that is disabled while its action runs loses the focus. The reference of this hook returns the focus when
 * the action has ended, unless another element has the focus then.
 */
export function useKeptFocus(isPending: boolean): RefObject<HTMLButtonElement | null> {
  const button = useRef<HTMLButtonElement>(null);
  const wasPending = useRef(false);
  useEffect(() => {
    if (wasPending.current && !isPending && document.activeElement === document.body) button.current?.focus();
    wasPending.current = isPending;
  }, [isPending]);
  return button;
}
