import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { styleNonce } from './style-nonce.ts'
import { cssVariables, theme } from './theme.ts'

/** Theme, data and messages around the pages of the dashboard. */
export function App({ queryClient, children }: { queryClient: QueryClient; children: ReactNode }) {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => styleNonce}
    >
      <QueryClientProvider client={queryClient}>
        {children}
        <Notifications position="bottom-center" />
      </QueryClientProvider>
    </MantineProvider>
  )
}
