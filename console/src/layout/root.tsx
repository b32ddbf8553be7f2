import { Center, Loader } from '@mantine/core';
import { Outlet } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useSession } from '../api/session';
import { FaultAlert } from '../components/fault-alert';
import { Shell } from './shell';
import { SignIn } from './sign-in';

/** The pages for those who are signed in, for all others the sign-in, at the same address. */
export function Root(): ReactNode {
  const session = useSession();
  if (session.isPending)
    return (
      <Center component="main" h="100vh">
        <Loader aria-label="Loading" />
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
      {/* Hidden, not gone: a form that is half filled in is there after the next sign-in. */}
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
