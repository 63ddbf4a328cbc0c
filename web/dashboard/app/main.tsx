import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { type ReactNode, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createQueryClient } from '../api/query-client.ts'
import { styled } from './early.ts'
import './before-libraries.ts'
import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import './styles.css'
import { startTexts } from '../i18n/i18n.ts'
import { styleNonce } from './before-libraries.ts'
import { textsOfPage } from './root-routes.ts'
import { createDashboardRouter } from './router.tsx'
import { cssVariables, theme } from './theme.ts'

/** Theme, data and messages around the pages of the dashboard. */
function App({ queryClient, children }: { queryClient: QueryClient; children: ReactNode }) {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => styleNonce}
    >
      <QueryClientProvider client={queryClient}>
        {children}
        <Notifications position="bottom-center" limit={2} />
      </QueryClientProvider>
    </MantineProvider>
  )
}

const queryClient = createQueryClient()
const router = createDashboardRouter(queryClient)

// The requests of the page do not wait for its texts.
void router.load().catch(() => {})
await Promise.all([styled, startTexts()])
await textsOfPage(location.pathname)
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <App queryClient={queryClient}>
      <RouterProvider router={router} />
    </App>
  </StrictMode>,
)

/** Links know the addresses of all pages, and their parameters. */
declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
