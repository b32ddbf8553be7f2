import { useMutation, type UseMutationOptions, type UseMutationResult } from '@tanstack/react-query';
import { useRef } from 'react';

/** A mutation that ignores further calls while one is running, even before the button is rendered as disabled. */
export function useSingleMutation<Sent = void>(
  options: UseMutationOptions<unknown, Error, Sent>,
): UseMutationResult<unknown, Error, Sent> {
  const isRunning = useRef(false);
  const mutation = useMutation({
    ...options,
    onSettled: (...settled) => {
      isRunning.current = false;
      return options.onSettled?.(...settled);
    },
  });
  const mutate: typeof mutation.mutate = (...call) => {
    if (isRunning.current) return;
    isRunning.current = true;
    mutation.mutate(...call);
  };
  return { ...mutation, mutate };
}
