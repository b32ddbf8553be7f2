import { Center, Loader } from '@mantine/core';
import { Outlet } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useSession } from '../api/session';
import { FaultAlert } from '../components/fault-alert';
import { Shell } from './shell';
import { SignIn } from './sign-in';
import { t } from '../text/translate';

/** The pages for a signed-in user. Other users see the sign-in at the same address. */
export function Root(): ReactNode {
  const session = useSession();
  if (session.isPending)
    return (
      <Center component="main" h="100vh">
        <Loader aria-label={t('Loading')} />
      </Center>
    );
  if (session.isError && session.data === undefined)
    return (
      <Center component="main" h="100vh" p="md">
        <FaultAlert error={session.error} onRetry={() => void session.refetch()} />
      </Center>
    );
  if (!session.data) return <SignIn />;
  return (
    <>
      {/* Hidden, not removed, so that a partly filled form is still there after the next sign-in. */}
      <div hidden={session.data.hasEnded}>
        <Shell>
          <Outlet />
        </Shell>
      </div>
      {session.data.hasEnded && (
        <div className="session-ended">
          <SignIn hasEnded />
        </div>
      )}
    </>
  );
}
