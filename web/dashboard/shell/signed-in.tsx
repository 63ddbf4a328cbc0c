import { Container, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { RightsOf } from '../access/rights.tsx'
import { sessionQuery } from '../api/session.ts'
import { ConfirmationDialog } from '../confirmation/confirmation-dialog.tsx'
import { Failure } from '../feedback/failure.tsx'
import { Loading } from '../feedback/loaded.tsx'
import { paths } from '../navigation/paths.ts'
import { Brand } from './brand.tsx'
import { SessionEnded } from './session-ended.tsx'
import { Shell } from './shell.tsx'

/** Loaded when it is needed, which is once for each operator. */
const SetUp = lazy(async () => ({ default: (await import('./second-factor-set-up.tsx')).SecondFactorSetUp }))

/**
 * Shows its pages to signed-in operators. Everyone else is sent to the sign-in page, and back here afterwards. Where a
 * session ends while somebody works, the page stays with what was entered, under a dialog to sign in again.
 */
export function SignedIn() {
  const session = useQuery(sessionQuery)
  const latest = useRef(session.data)
  if (session.data) latest.current = session.data
  const [isSettingUp, setSettingUp] = useState(false)
  if (session.data?.needs_second_factor === true && !isSettingUp) setSettingUp(true)
  useEscapeHeldBack(session.data === null)
  if (latest.current && !session.isPending) {
    return (
      <>
        {isSettingUp ? (
          <Suspense fallback={<Loading />}>
            <SetUp onDone={() => setSettingUp(false)} />
          </Suspense>
        ) : (
          <RightsOf session={latest.current}>
            <Shell session={latest.current} />
          </RightsOf>
        )}
        <ConfirmationDialog session={latest.current} isCovered={session.data === null} />
        {session.data === null && <SessionEnded session={latest.current} />}
      </>
    )
  }
  if (session.data === null) return <ToSignIn />
  return (
    <Container size="sm" py={{ base: 'md', sm: 64 }} component="main">
      {session.isError ? (
        <Stack>
          <Brand />
          <Failure error={session.error} onRetry={() => void session.refetch()} />
        </Stack>
      ) : (
        <Loading />
      )}
    </Container>
  )
}

/**
 * Keeps Escape from closing dialogs below the one to sign in, which would lose what was entered in them. The listener
 * comes before those of dialogs, because layout effects run first.
 */
function useEscapeHeldBack(isHeldBack: boolean): void {
  const held = useRef(isHeldBack)
  held.current = isHeldBack
  useLayoutEffect(() => {
    const hold = (event: KeyboardEvent) => {
      if (held.current && event.key === 'Escape') event.stopImmediatePropagation()
    }
    window.addEventListener('keydown', hold, { capture: true })
    return () => window.removeEventListener('keydown', hold, { capture: true })
  }, [])
}

/** Navigates once. The router's own component would navigate again with every change of the address on the way. */
function ToSignIn() {
  const router = useRouter()
  useEffect(() => {
    void router.navigate({ to: paths.signIn, search: { back: router.latestLocation.href }, replace: true })
  }, [router])
  return <Loading />
}
