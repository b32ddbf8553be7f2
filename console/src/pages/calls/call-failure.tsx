import { Alert, Code, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { CallDetails } from '../../api/records';
import { rich } from '../../text/rich';
import { t } from '../../text/translate';

/** Advice on the failure of a call, by its status. */
const ADVICE: Readonly<Record<number, string>> = {
  400: t("The request has to change. The caller received the provider's message, which says what to change."),
  402: t('Add credits, or raise the limit of the key.'),
  413: t('The request has to be smaller.'),
  429: t('The provider limits the rate. Try again later, or let the call fall back to another provider.'),
  499: t('Nothing was billed beyond what had been generated.'),
  502: t(
    'Look at the attempts below. The credential, the model name and the account at the provider can be the cause.',
  ),
  503: t('Try again in a moment.'),
  524: t('The provider was silent for too long. UPSTREAM_TIMEOUT_MS sets for how long it may be.'),
  529: t('The provider has no capacity at present. Let the call fall back to another provider.'),
};

/** Shows why a call failed, before all other details. */
export function CallFailure({ call: { status, error } }: { readonly call: CallDetails }): ReactNode {
  if (status === 200) return null;
  return (
    <Alert
      color="red"
      variant="outline"
      title={error?.message ?? t('The call failed with the status {status}', { status })}
    >
      {error ? (
        <Text size="sm">{rich('Code {code}', { code: <Code>{error.code}</Code> })}</Text>
      ) : (
        <Text size="sm">{t('The reason was not recorded: the call is older than the reasons of failures.')}</Text>
      )}
      {ADVICE[status] && (
        <Text size="sm" mt={4}>
          {ADVICE[status]}
        </Text>
      )}
    </Alert>
  );
}
