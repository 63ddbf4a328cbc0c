import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useLayoutEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { holdConfirmationDialog, settleConfirmation, useConfirmationAsked } from '../api/confirmation.ts'
import { Loaded, Loading } from '../components/feedback.tsx'
import { getConfirmationMethodsOptions } from '../generated/@tanstack/react-query.gen.ts'
import type { Session } from '../generated/types.gen.ts'
import { allTexts } from '../i18n/i18n.ts'

/** Loads the ways to confirm with their texts, which only a page that asks for it needs. */
export async function loadConfirmationWays() {
  await allTexts()
  return { default: (await import('./confirmation-ways.tsx')).ConfirmationWays }
}

const ConfirmationWays = lazy(loadConfirmationWays)

/** Over the dialogs in which something was asked for, and below the one to sign in again. */
const ON_TOP = 900

/**
 * Asks for a proof of the operator when a request needs a recent confirmation, and lets the request go on. `isCovered`
 * tells that the dialog to sign in again lies above. Signing in confirms as well.
 */
export function ConfirmationDialog({ session, isCovered }: { session: Session; isCovered: boolean }) {
  const { t } = useTranslation()
  const isAsked = useConfirmationAsked()
  useEffect(holdConfirmationDialog, [])
  useEffect(() => (isCovered ? () => settleConfirmation(true) : undefined), [isCovered])
  const cancel = () => settleConfirmation(false)
  useEscapeHeldBack(isAsked && !isCovered, cancel)
  return (
    <Modal
      opened={isAsked}
      onClose={cancel}
      closeOnEscape={false}
      centered
      zIndex={ON_TOP}
      title={t('confirmation.title')}
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      <Confirmation name={session.operator.name} />
    </Modal>
  )
}

function Confirmation({ name }: { name: string }) {
  const query = useQuery(getConfirmationMethodsOptions())
  return (
    <Loaded query={query}>
      {(found) => {
        const methods = {
          password: found.password,
          code: found.authenticator_app || found.recovery_code,
          passkey: found.passkey && 'PublicKeyCredential' in window,
          provider: found.provider,
        }
        const hasSome = Object.values(methods).some((method) => method !== false && method !== null)
        if (!hasSome) return <NoWay />
        return (
          <Suspense fallback={<Loading />}>
            <ConfirmationWays name={name} methods={methods} />
          </Suspense>
        )
      }}
    </Loaded>
  )
}

function NoWay() {
  const { t } = useTranslation()
  return (
    <Stack>
      <Text>{t('confirmation.none')}</Text>
      <Group justify="flex-end">
        <Button onClick={() => settleConfirmation(false)} data-autofocus autoFocus>
          {t('action.close')}
        </Button>
      </Group>
    </Stack>
  )
}

/**
 * Holds back Escape from the dialogs below one, which would lose their input. The listener comes before the listeners
 * of dialogs, because layout effects run first.
 * @param onEscape called in their place
 */
export function useEscapeHeldBack(isHeldBack: boolean, onEscape: () => void = () => {}): void {
  const latest = useRef({ isHeldBack, onEscape })
  latest.current = { isHeldBack, onEscape }
  useLayoutEffect(() => {
    const hold = (event: KeyboardEvent) => {
      if (!latest.current.isHeldBack || event.key !== 'Escape') return
      event.stopImmediatePropagation()
      latest.current.onEscape()
    }
    window.addEventListener('keydown', hold, { capture: true })
    return () => window.removeEventListener('keydown', hold, { capture: true })
  }, [])
}
