import { Button } from '@mantine/core';
import { useMutation, type UseMutationResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api } from '../../api/client';
import { internsChanged } from '../../api/interns';
import { FaultAlert } from '../../components/fault-alert';
import { t } from '../../text/translate';

/** Starts an intern. */
export function useStart(id: string): UseMutationResult<unknown, Error, void> {
  return useMutation({
    mutationFn: () => api.POST('/api/v1/interns/{id}/provision', { params: { path: { id } } }),
    onSuccess: internsChanged,
  });
}

/** A button that starts an intern, shown with messages which say that the intern is not running. */
export function StartIntern({ id }: { readonly id: string }): ReactNode {
  const starting = useStart(id);
  return (
    <>
      <Button size="compact-sm" variant="default" loading={starting.isPending} onClick={() => starting.mutate()}>
        {t('Start')}
      </Button>
      {starting.error && <FaultAlert error={starting.error} />}
    </>
  );
}
