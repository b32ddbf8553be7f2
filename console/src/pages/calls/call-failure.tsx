import { Alert, Code, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { CallDetails } from '../../api/records';

/** What helps against the failure of a call, by its status. */
const ADVICE: Readonly<Record<number, string>> = {
  400: 'The request has to change. Its caller got the message that names the member.',
  402: 'Add credits, or raise the limit of the key.',
  413: 'The request has to be smaller.',
  429: 'The provider limits the rate. Try again later, or let the call fall back to another provider.',
  499: 'Nothing was billed beyond what had been generated.',
  502: 'Look at the attempts below. The credential, the model name and the account at the provider can be the cause.',
  503: 'Try again in a moment.',
  524: 'The provider was silent for too long. UPSTREAM_TIMEOUT_MS sets for how long it may be.',
  529: 'The provider has no capacity at present. Let the call fall back to another provider.',
};

/** Why a call failed, before everything else that is known of it. */
export function CallFailure({ call: { status, error } }: { readonly call: CallDetails }): ReactNode {
  if (status === 200) return null;
  return (
    <Alert color="red" variant="outline" title={error?.message ?? `The call failed with the status ${status}`}>
      {error ? (
        <Text size="sm">
          Code <Code>{error.code}</Code>
        </Text>
      ) : (
        <Text size="sm">The reason was not recorded: the call is older than the reasons of failures.</Text>
      )}
      {ADVICE[status] && (
        <Text size="sm" mt={4}>
          {ADVICE[status]}
        </Text>
      )}
    </Alert>
  );
}
