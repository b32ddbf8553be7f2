import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queries } from './api/queries';
import { NewSecret } from './pages/keys/new-secret';
import { router } from './router';
import { resolveVariables, theme } from './theme';

/** Loaded after the language, because modules translate their tables of texts when they are loaded. */
export const renderConsole = (): void =>
  createRoot(document.getElementById('root')!).render(
    <StrictMode>
      <MantineProvider theme={theme} defaultColorScheme="auto" cssVariablesResolver={resolveVariables}>
        <QueryClientProvider client={queries}>
          <RouterProvider router={router} />
          <NewSecret />
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  );
