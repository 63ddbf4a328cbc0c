import { Container, Modal, Stack, Text } from '@mantine/core'
import { hashKey, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmationDialog, loadConfirmationWays, useEscapeHeldBack } from '../access/confirmation-dialog.tsx'
import { RightsOf } from '../access/rights.tsx'
import { sessionQuery } from '../api/session.ts'
import { Failure, Loading } from '../components/feedback.tsx'
import { Brand } from '../components/page-frames.tsx'
import { paths } from '../components/paths.ts'
import { getSessionQueryKey } from '../generated/@tanstack/react-query.gen.ts'
import type { Session } from '../generated/types.gen.ts'
import { allTexts } from '../i18n/i18n.ts'
import { Shell } from './shell.tsx'

/** Loaded when it is needed, which is once for each operator. */
const SetUp = lazy(async () => {
  await allTexts()
  return { default: (await import('./second-factor-set-up.tsx')).SecondFactorSetUp }
})
const SignInForm = lazy(loadSignInForm)

async function loadSignInForm() {
  await allTexts()
  return { default: (await import('../access/sign-in-form.tsx')).SignInForm }
}

/** By then, the first page is there on most slow lines. */
const SETTLED_MS = 15_000

/**
 * Loads what has to be there when a session ends or the server asks for a confirmation: by then the server may have
 * other files, and what was entered into the page would be lost with it.
 */
function useDialogsInReserve(): void {
  useEffect(() => {
    const timer = setTimeout(() => void Promise.allSettled([loadSignInForm(), loadConfirmationWays()]), SETTLED_MS)
    return () => clearTimeout(timer)
  }, [])
}

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
  useDialogsInReserve()
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

/** Navigates once. The router's own component would navigate again with every change of the address on the way. */
function ToSignIn() {
  const router = useRouter()
  useEffect(() => {
    void router.navigate({ to: paths.signIn, search: { back: router.latestLocation.href }, replace: true })
  }, [router])
  return <Loading />
}

/** Over every other dialog, whose entries are kept. */
const ON_TOP = 1000

/** Asks to sign in again when a session ends while somebody works. The page below keeps what was entered. */
function SessionEnded({ session }: { session: Session }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const resume = (resumed: Session) => {
    client.setQueryData(getSessionQueryKey(), resumed)
    void client.invalidateQueries({ predicate: ({ queryKey }) => hashKey(queryKey) !== hashKey(getSessionQueryKey()) })
  }
  return (
    <Modal
      opened
      onClose={() => {}}
      closeOnEscape={false}
      closeOnClickOutside={false}
      withCloseButton={false}
      centered
      zIndex={ON_TOP}
      overlayProps={{ backgroundOpacity: 0.6, blur: 12 }}
      title={t('session.endedTitle')}
    >
      <Suspense fallback={<Loading />}>
        <SignInForm name={session.operator.name} onSignedIn={resume}>
          <Text>{t('session.endedHelp')}</Text>
        </SignInForm>
      </Suspense>
    </Modal>
  )
}
