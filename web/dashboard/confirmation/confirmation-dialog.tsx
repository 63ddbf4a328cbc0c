import { Button, Divider, Group, Modal, PasswordInput, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useLayoutEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { hasCode } from '../api/api-error.ts'
import { holdConfirmationDialog, settleConfirmation, useConfirmationAsked } from '../api/confirmation.ts'
import { signInMethodsQuery } from '../api/passkeys.ts'
import { queryKeys } from '../api/query-keys.ts'
import { confirmSession, type Session } from '../api/session.ts'
import { Failure } from '../feedback/failure.tsx'
import { FormAlert } from '../forms/form-alert.tsx'
import { ProviderButton } from '../sign-in/provider-button.tsx'
import { UsernameInput } from '../sign-in/username-input.tsx'

/** Over the dialogs in which something was asked for, and below the one to sign in again. */
const ON_TOP = 900

/**
 * Asks for the password when a request needs a recent confirmation, and lets the request go on. `isCovered` tells that the
 * dialog to sign in again lies above. Signing in confirms as well.
 */
export function ConfirmationDialog({ session, isCovered }: { session: Session; isCovered: boolean }) {
  const { t } = useTranslation()
  const isAsked = useConfirmationAsked()
  useEffect(holdConfirmationDialog, [])
  useEffect(() => (isCovered ? () => settleConfirmation(true) : undefined), [isCovered])
  useEscapeToCancel(isAsked && !isCovered)
  return (
    <Modal
      opened={isAsked}
      onClose={() => settleConfirmation(false)}
      closeOnEscape={false}
      centered
      zIndex={ON_TOP}
      title={t('confirmation.title')}
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      <ConfirmationForm name={session.operator.name} />
    </Modal>
  )
}

function ConfirmationForm({ name }: { name: string }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const methods = useQuery(signInMethodsQuery)
  const input = useRef<HTMLInputElement>(null)
  const form = useForm({ mode: 'uncontrolled', initialValues: { password: '' } })
  const confirming = useMutation({
    mutationFn: ({ password }: { password: string }) => confirmSession(password),
    onSuccess: () => {
      settleConfirmation(true)
      void client.invalidateQueries({ queryKey: queryKeys.session })
    },
    onError: () => input.current?.select(),
  })
  const isWrong = hasCode(confirming.error, 'FORBIDDEN')
  return (
    <form onSubmit={form.onSubmit((values) => confirming.mutate(values))}>
      <Stack>
        <Text>{t('confirmation.help')}</Text>
        <UsernameInput name={name} />
        <PasswordInput
          ref={input}
          label={t('signIn.password')}
          autoComplete="current-password"
          required
          withAsterisk={false}
          data-autofocus
          visibilityToggleButtonProps={{ 'aria-label': t('signIn.showPassword') }}
          key={form.key('password')}
          {...form.getInputProps('password')}
        />
        {isWrong && <FormAlert>{t('confirmation.wrong')}</FormAlert>}
        {confirming.isError && !isWrong && <Failure error={confirming.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={() => settleConfirmation(false)}>
            {t('action.cancel')}
          </Button>
          <Button type="submit" loading={confirming.isPending}>
            {t('confirmation.submit')}
          </Button>
        </Group>
        {typeof methods.data?.provider === 'string' && (
          <>
            <Divider label={t('passkey.or')} />
            <ProviderButton purpose="confirm" text={methods.data.provider} />
          </>
        )}
      </Stack>
    </form>
  )
}

/**
 * Lets Escape leave this dialog alone, and not those below, which would lose what was entered in them. The listener comes
 * before those of dialogs, because layout effects run first.
 */
function useEscapeToCancel(isAsked: boolean): void {
  const asked = useRef(isAsked)
  asked.current = isAsked
  useLayoutEffect(() => {
    const cancel = (event: KeyboardEvent) => {
      if (!asked.current || event.key !== 'Escape') return
      event.stopImmediatePropagation()
      settleConfirmation(false)
    }
    window.addEventListener('keydown', cancel, { capture: true })
    return () => window.removeEventListener('keydown', cancel, { capture: true })
  }, [])
}
