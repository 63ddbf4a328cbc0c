import '../dashboard/app/before-libraries.ts'
import './spectator.css'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ComponentType, StrictMode, useEffect } from 'react'
import { createRoot } from 'react-dom/client'
import { isAskedAgain } from '../dashboard/api/api-error.ts'
import { send } from '../dashboard/api/request.ts'
import { styleNonce } from '../dashboard/app/before-libraries.ts'
import { cssVariables, theme } from '../dashboard/app/theme.ts'
import { client } from '../dashboard/generated/client.gen.ts'
import { startTexts } from '../dashboard/i18n/i18n.ts'
import { TimeZone } from '../dashboard/i18n/time-zone.ts'
import { linkedRunner } from '../dashboard/live/selected-runner.ts'
import { showNetwork } from './keep-page.ts'
import type { Share, TabProps } from './share.ts'

/** The page follows the system: its HTML could not follow a choice that is kept in the browser. */
const systemColours = { get: () => 'auto' as const, set() {}, subscribe() {}, unsubscribe() {}, clear() {} }

/** Shows the live view of a share in place of the page's HTML, in the language that the page has. */
export async function start(share: Share, Tab: ComponentType<TabProps>): Promise<void> {
  client.setConfig({ fetch: (input, init) => send(new Request(input, init)) })
  await startTexts(document.documentElement.lang)
  const queryClient = new QueryClient({ defaultOptions: { queries: { staleTime: 10_000, retry: isAskedAgain } } })
  keepRunner()
  const showLive = () => {
    document.getElementById('first')?.remove()
    showNetwork()
  }
  createRoot(document.getElementById('app')!).render(
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariables}
        colorSchemeManager={systemColours}
        defaultColorScheme="auto"
        getStyleNonce={() => styleNonce}
      >
        <QueryClientProvider client={queryClient}>
          <TimeZone value={share.view.event.effective_time_zone}>
            <Tab share={share} onReady={showLive} />
          </TimeZone>
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  )
}

/** Tells the page that the live view shows as much as its HTML. */
export function useReady(isReady: boolean, onReady: () => void): void {
  useEffect(() => {
    if (isReady) onReady()
  }, [isReady, onReady])
}

/** Has the links to the other tabs lead to the runner that is selected here. */
function keepRunner(): void {
  document.querySelector('header nav')?.addEventListener('click', ({ target }) => {
    const link = (target as Element).closest('a')
    if (link !== null && linkedRunner() !== undefined) link.hash = location.hash
  })
}
