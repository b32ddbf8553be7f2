import { Alert, Button, Center, Paper, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { useState, type SyntheticEvent, type ReactNode } from 'react';
import { signIn } from '../api/session';
import { FaultAlert } from '../components/fault-alert';

/**
 * The one-time code of a sign-in link. It is in the fragment, which browsers do not send, and leaves the address bar
 * and the history at once.
 */
function takeCode(): string | null {
  const fragment = window.location.hash.slice(1);
  const code = new URLSearchParams(fragment).get('code');
  if (code) window.history.replaceState(null, '', window.location.pathname + window.location.search);
  return code;
}

const codeOfLink = takeCode();

/**
 * A link signs in after a click only: a page that opened one by itself could sign its reader in to an account of
 * somebody else.
 */
export function SignIn(): ReactNode {
  useDocumentTitle('Sign in · Gatehouse');
  const [code, setCode] = useState(codeOfLink);
  const [key, setKey] = useState('');
  const entering = useMutation({ mutationFn: signIn, onError: () => setCode(null) });
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    entering.mutate(code === null ? { key: key.trim() } : { code });
  };
  return (
    <Center component="main" mih="100vh" p="md">
      <Paper withBorder shadow="sm" p="xl" w="100%" maw={420}>
        <form onSubmit={submit}>
          <Stack>
            <Title order={1}>Gatehouse</Title>
            {code === null ? (
              <PasswordInput
                label="API key or management key"
                description="It opens this session and is not kept in the browser."
                autoComplete="off"
                required
                value={key}
                onChange={(event) => setKey(event.currentTarget.value)}
                visibilityToggleButtonProps={{ 'aria-label': 'Show the key' }}
              />
            ) : (
              <Alert variant="outline" title="One-time link">
                Sign in to the account of this link. It works once.
              </Alert>
            )}
            {entering.error && <FaultAlert error={entering.error} />}
            <Button type="submit" loading={entering.isPending}>
              Sign in
            </Button>
            <Text size="sm" c="dimmed">
              No key at hand? <code>npm run -s operator -- console-link</code> prints a link.
            </Text>
          </Stack>
        </form>
      </Paper>
    </Center>
  );
}
