import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { api, body } from '../../api/client';
import { useWaysToSignIn } from '../../api/identity-providers';
import { membersChanged, type Role } from '../../api/members';
import { Dialog } from '../../components/dialog';
import { CodeBlock } from '../../components/code-block';
import { FormModal } from '../../components/form-modal';
import { RoleField, WorkspacesField } from './member-actions';
import { t } from '../../text/translate';

const INITIAL = { role: 'developer' as Role, workspaces: [] as string[], email: '' };

/** Creates a link that makes a person a member. It is shown once. */
export function InviteMember(): ReactNode {
  const [link, setLink] = useState<string>();
  // Only an identity provider can verify an address.
  const hasProviders = (useWaysToSignIn().data?.data.length ?? 0) > 0;
  const invite = async ({ role, workspaces, email }: typeof INITIAL): Promise<void> => {
    const request = { role, workspace_ids: workspaces, ...(email === '' ? {} : { email }) };
    setLink((await body(api.POST('/api/v1/invitations', { body: request }))).url);
    await membersChanged();
  };
  return (
    <>
      <FormModal
        label={t('Invite')}
        aria-label={t('Invite a member')}
        title={t('Invite a member')}
        action={t('Make the link')}
        initial={INITIAL}
        onSubmit={invite}
      >
        {(values, change) => (
          <>
            <RoleField value={values.role} onChange={(role) => change({ role })} />
            <WorkspacesField value={values.workspaces} onChange={(workspaces) => change({ workspaces })} />
            {hasProviders && (
              <TextInput
                type="email"
                label={t('Email')}
                description={t('Empty: anyone with the link. Otherwise only a person with this verified address.')}
                value={values.email}
                onChange={(event) => change({ email: event.currentTarget.value })}
              />
            )}
          </>
        )}
      </FormModal>
      <Dialog opened={link !== undefined} onClose={() => setLink(undefined)} title={t('The link of the invitation')}>
        <Stack>
          <Text size="sm">{t('It is shown once, works once, and ends after seven days. Send it to the person.')}</Text>
          <CodeBlock label={t('Link')} code={link ?? ''} />
          <Button onClick={() => setLink(undefined)}>{t('Done')}</Button>
        </Stack>
      </Dialog>
    </>
  );
}
