import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import './style-nonce.ts'
import './styles.css'
import { createQueryClient } from './api/query-client.ts'
import { App } from './app.tsx'
import { startTexts } from './i18n/i18n.ts'
import { createDashboardRouter } from './router.tsx'

const queryClient = createQueryClient()
const router = createDashboardRouter(queryClient)

await startTexts()
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
