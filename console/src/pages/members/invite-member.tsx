import { Button, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { api, body } from '../../api/client';
import { useWaysToSignIn } from '../../api/identity-providers';
import { membersChanged, type Role } from '../../api/members';
import { CodeBlock } from '../../components/code-block';
import { FormModal } from '../../components/form-modal';
import { RoleField, WorkspacesField } from './member-actions';

const INITIAL = { role: 'developer' as Role, workspaces: [] as string[], email: '' };

/** Makes a link by which somebody becomes a member. It is shown once. */
export function InviteMember(): ReactNode {
  const [link, setLink] = useState<string>();
  // Only a provider proves an address.
  const hasProviders = (useWaysToSignIn().data?.data.length ?? 0) > 0;
  const invite = async ({ role, workspaces, email }: typeof INITIAL): Promise<void> => {
    const request = { role, workspace_ids: workspaces, ...(email === '' ? {} : { email }) };
    setLink((await body(api.POST('/api/v1/invitations', { body: request }))).url);
    await membersChanged();
  };
  return (
    <>
      <FormModal
        label="Invite"
        aria-label="Invite a member"
        title="Invite a member"
        action="Make the link"
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
                label="Email"
                description="Empty: anyone with the link. Otherwise only a person with this verified address."
                value={values.email}
                onChange={(event) => change({ email: event.currentTarget.value })}
              />
            )}
          </>
        )}
      </FormModal>
      <Modal
        opened={link !== undefined}
        onClose={() => setLink(undefined)}
        title="The link of the invitation"
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <Stack>
          <Text size="sm">It is shown once, works once, and ends after seven days. Send it to the person.</Text>
          <CodeBlock label="Link" code={link ?? ''} />
          <Button onClick={() => setLink(undefined)}>Done</Button>
        </Stack>
      </Modal>
    </>
  );
}
