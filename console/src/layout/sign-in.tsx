import { Alert, Button, Center, Divider, Paper, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { useState, type SyntheticEvent, type ReactNode } from 'react';
import { redirectToProvider, useWaysToSignIn, type WaysToSignIn } from '../api/identity-providers';
import { signIn } from '../api/session';
import { FaultAlert } from '../components/fault-alert';
import { Loaded } from '../components/loaded';
import { signInLink } from './sign-in-link';
import { rich } from '../text/rich';
import { t } from '../text/translate';

interface SignInProps {
  /** Whether a session ended while its pages were open. */
  readonly hasEnded?: boolean;
}

/** The ways to sign in: identity providers, a link, a key. */
export function SignIn({ hasEnded = false }: SignInProps): ReactNode {
  useDocumentTitle(hasEnded ? document.title : t('Sign in · Gatehouse'));
  const ways = useWaysToSignIn();
  const [link, setLink] = useState(signInLink);
  return (
    <Center component="main" mih="100vh" p="md">
      <Paper withBorder shadow="sm" p="xl" w="100%" maw={420}>
        <Stack>
          <Title order={1}>{t('Gatehouse')}</Title>
          {hasEnded && (
            <Alert variant="outline" title={t('Your session has ended')} role="alert">
              {t('Sign in again. What you typed on the page is kept, unless you leave it.')}
            </Alert>
          )}
          {link.code !== null && <LinkForm code={link.code} onRefused={() => setLink({ ...link, code: null })} />}
          {link.code === null && (
            <Loaded query={ways}>{(found) => <Ways ways={found} invitation={link.invitation} />}</Loaded>
          )}
        </Stack>
      </Paper>
    </Center>
  );
}

/**
 * A link signs in only after a click. If a page signed in by itself, it could sign its reader in to another person's
 * account.
 */
function LinkForm({ code, onRefused }: { readonly code: string; readonly onRefused: () => void }): ReactNode {
  const entering = useMutation({ mutationFn: () => signIn({ code }) });
  return (
    <>
      <Alert variant="outline" title={t('One-time link')}>
        {t('Sign in to the account of this link. It works once.')}
      </Alert>
      {entering.error ? (
        <>
          <FaultAlert error={entering.error} />
          <Button onClick={onRefused}>{t('Sign in another way')}</Button>
        </>
      ) : (
        <Button loading={entering.isPending} onClick={() => entering.mutate()}>
          {t('Sign in')}
        </Button>
      )}
    </>
  );
}

interface WaysProps {
  readonly ways: WaysToSignIn;
  readonly invitation: string | null;
}

function Ways({ ways: { data: providers, local_sign_in: local }, invitation }: WaysProps): ReactNode {
  const going = useMutation({ mutationFn: (provider: string) => redirectToProvider(provider, invitation) });
  const showsKeys = local === 'on' && invitation === null;
  return (
    <>
      {invitation !== null && (
        <Alert variant="outline" title={t('Invitation')}>
          {t('{providers} It works once.', {
            providers: providers.length > 0 ? t('Sign in to accept it.') : t('Choose a name to accept it.'),
          })}
        </Alert>
      )}
      {providers.map(({ name, label }) => (
        <Button key={name} loading={going.isPending && going.variables === name} onClick={() => going.mutate(name)}>
          {t('Sign in with {label}', { label })}
        </Button>
      ))}
      {going.error && <FaultAlert error={going.error} />}
      {invitation !== null && providers.length === 0 && <InvitationForm invitation={invitation} />}
      {showsKeys && providers.length > 0 && <Divider label={t('or')} />}
      {showsKeys && <KeyForm isSecond={providers.length > 0} />}
      {invitation === null && (
        <Text size="sm" c="dimmed">
          {rich('No way in? An operator prints a link with {code}.', {
            code: <code>npm run -s operator -- console-link</code>,
          })}
        </Text>
      )}
    </>
  );
}

/** `isSecond`: identity providers exist and are shown first. */
function KeyForm({ isSecond }: { readonly isSecond: boolean }): ReactNode {
  const [key, setKey] = useState('');
  const entering = useMutation({ mutationFn: () => signIn({ key: key.trim() }) });
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    entering.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <PasswordInput
          label={t('API key or management key')}
          description={t('It opens this session and is not kept in the browser.')}
          autoComplete="off"
          required
          value={key}
          onChange={(event) => setKey(event.currentTarget.value)}
          visibilityToggleButtonProps={{ 'aria-label': t('Show the key') }}
        />
        {entering.error && <FaultAlert error={entering.error} />}
        <Button type="submit" variant={isSecond ? 'default' : 'filled'} loading={entering.isPending}>
          {t('Sign in')}
        </Button>
      </Stack>
    </form>
  );
}

function InvitationForm({ invitation }: { readonly invitation: string }): ReactNode {
  const [name, setName] = useState('');
  const entering = useMutation({ mutationFn: () => signIn({ invitation, name: name.trim() }) });
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    entering.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label={t('Your name')}
          autoComplete="name"
          required
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        {entering.error && <FaultAlert error={entering.error} />}
        <Button type="submit" loading={entering.isPending}>
          {t('Accept')}
        </Button>
      </Stack>
    </form>
  );
}
