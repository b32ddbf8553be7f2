import { Radio, Select, Stack, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { api, body } from '../../api/client';
import { keyReplaced, keysChanged } from '../../api/keys';
import { FormModal } from '../../components/form-modal';
import { moment } from '../../format/times';
import { showSecret } from './shown-secret';
import { t } from '../../text/translate';

export const ROTATE_KEY_ID = 'rotate-key';

const GRACES = [
  { value: '3600', label: t('1 hour') },
  { value: '86400', label: t('1 day') },
  { value: '604800', label: t('7 days') },
];

const INITIAL = { leaked: '' as 'yes' | 'no' | '', grace: '86400' };

const endOf = (graceSeconds: string): string => new Date(Date.now() + Number(graceSeconds) * 1_000).toISOString();

/**
 * Rotates a key. The new secret is shown once, on the page of the new hash, because the page of the old hash may no
 * longer exist.
 */
export function RotateKey({ hash }: { readonly hash: string }): ReactNode {
  const navigate = useNavigate();
  const rotate = async ({ leaked, grace }: typeof INITIAL): Promise<void> => {
    const call = api.POST('/api/v1/keys/{hash}/rotate', {
      params: { path: { hash } },
      body: { grace_seconds: leaked === 'yes' ? 0 : Number(grace) },
    });
    const { data, key } = await body(call);
    showSecret(key, ROTATE_KEY_ID);
    keyReplaced(data);
    await navigate({ to: '/keys/$hash', params: { hash: data.hash }, search: true, replace: true });
    void keysChanged();
  };
  return (
    <FormModal
      id={ROTATE_KEY_ID}
      label={t('Rotate')}
      title={t('Rotate the secret')}
      action={t('Rotate')}
      size="compact-sm"
      variant="default"
      initial={INITIAL}
      onSubmit={rotate}
    >
      {({ leaked, grace }, edit) => (
        <>
          <Radio.Group
            label={t('Was it leaked?')}
            required
            value={leaked}
            onChange={(value) => edit({ leaked: value === 'yes' ? 'yes' : 'no' })}
          >
            <Stack gap="xs" mt="xs">
              <Radio
                value="yes"
                required
                label={t('Yes: end the old secret now')}
                description={t(
                  'Programs that still use it are refused at once, and so are secrets of earlier rotations.',
                )}
              />
              <Radio
                value="no"
                required
                label={t('No: let the old secret work for a while')}
                description={t('Both spend from one limit. You can end the old one earlier, on the page of the key.')}
              />
            </Stack>
          </Radio.Group>
          {leaked === 'no' && (
            <Select
              label={t('The old secret works for')}
              description={
                <Text span inherit>
                  {t('Until {grace}.', { grace: moment(endOf(grace)) })}
                </Text>
              }
              data={GRACES}
              value={grace}
              onChange={(value) => value && edit({ grace: value })}
              allowDeselect={false}
            />
          )}
        </>
      )}
    </FormModal>
  );
}
