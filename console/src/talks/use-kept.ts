import { useCallback, useEffect, useRef } from 'react';

const KEEP_AFTER_MS = 200;

/**
 * Stores a value shortly after each change, and when the page or the component is left. `keeping` is called after a
 * change, and returns a function that stores the value, or undefined to store nothing. Returns a function that stores
 * the last change immediately: call it before another value replaces it.
 */
export function useKept<Value>(value: Value, keeping: (value: Value) => (() => void) | undefined): () => void {
  const keep = useRef<() => void>(undefined);
  const keepNow = useCallback(() => keep.current?.(), []);
  useEffect(() => {
    keep.current = keeping(value);
    const timer = setTimeout(keepNow, KEEP_AFTER_MS);
    return () => clearTimeout(timer);
    // Without `keeping`, which is a new function at each rendering.
  }, [value]);
  useEffect(() => {
    addEventListener('pagehide', keepNow);
    return () => {
      removeEventListener('pagehide', keepNow);
      keepNow();
    };
  }, [keepNow]);
  return keepNow;
}
