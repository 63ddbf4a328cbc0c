import { Anchor, Button, Divider, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hasCode } from '../api/api-error.ts'
import { settleConfirmation } from '../api/confirmation.ts'
import { confirmWithPasskey } from '../api/session.ts'
import { Failure, FormAlert } from '../components/feedback.tsx'
import { ButtonLink } from '../components/links.tsx'
import { paths } from '../components/paths.ts'
import { getSessionQueryKey } from '../generated/@tanstack/react-query.gen.ts'
import { confirmSession } from '../generated/sdk.gen.ts'
import { PasskeyButton, PROVIDER_LOOK } from './other-ways.tsx'
import { UsernameInput } from './sign-in-form.tsx'

/** The ways of the operator in this browser. `provider` is the text of the button for the identity provider. */
type Methods = { password: boolean; code: boolean; passkey: boolean; provider: string | null }

type ConfirmationWaysProps = { name: string; methods: Methods }

/** Kind of the typed text. */
type Typed = 'password' | 'code'

/** Offers what the operator can confirm with, and nothing else. What can be typed comes first, as at the sign-in. */
export function ConfirmationWays({ name, methods }: ConfirmationWaysProps) {
  const { t } = useTranslation()
  const onConfirmed = useConfirmed()
  const { password, code, passkey, provider } = methods
  const hasButtons = passkey || provider !== null
  const [typed, setTyped] = useState<Typed | undefined>(
    password ? 'password' : code && !hasButtons ? 'code' : undefined,
  )
  const other: Typed | undefined = typed === 'code' ? (password ? 'password' : undefined) : code ? 'code' : undefined
  return (
    <Stack>
      <Text>
        {t(HELP[typed ?? 'none'])} {t('confirmation.tenMinutes')}
      </Text>
      {typed !== undefined && <TypedProof key={typed} kind={typed} name={name} />}
      {typed !== undefined && hasButtons && <Divider label={t('passkey.or')} />}
      {passkey && (
        <PasskeyButton ask={confirmWithPasskey} onDone={onConfirmed} isFirst={typed === undefined}>
          {t('secondFactor.usePasskey')}
        </PasskeyButton>
      )}
      {provider !== null && <ProviderTabLink text={provider} isFirst={typed === undefined && !passkey} />}
      {(other !== undefined || typed === undefined) && (
        <Group justify="space-between">
          {other === undefined ? (
            <span />
          ) : (
            <Anchor component="button" type="button" size="sm" onClick={() => setTyped(other)}>
              {t(CHANGE_TO[other])}
            </Anchor>
          )}
          {typed === undefined && <CancelButton />}
        </Group>
      )}
    </Stack>
  )
}

const HELP = {
  password: 'confirmation.help',
  code: 'confirmation.codeHelp',
  none: 'confirmation.otherHelp',
} as const

const CHANGE_TO = { password: 'confirmation.usePassword', code: 'confirmation.useCode' } as const

/** A password or a code. */
function TypedProof({ kind, name }: { kind: Typed; name: string }) {
  const { t } = useTranslation()
  const input = useRef<HTMLInputElement>(null)
  const onConfirmed = useConfirmed()
  const confirming = useMutation({
    mutationFn: (text: string) => confirmSession({ body: kind === 'password' ? { password: text } : { code: text } }),
    onSuccess: onConfirmed,
    onError: () => input.current?.select(),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    confirming.mutate(input.current!.value)
  }
  const isWrong = hasCode(confirming.error, 'FORBIDDEN')
  const field = {
    ref: input,
    required: true,
    withAsterisk: false,
    autoFocus: true,
    'data-autofocus': true,
    'aria-invalid': isWrong || undefined,
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        {kind === 'password' ? (
          <>
            <UsernameInput name={name} />
            <PasswordInput
              label={t('signIn.password')}
              autoComplete="current-password"
              visibilityToggleButtonProps={{ 'aria-label': t('signIn.showPassword') }}
              {...field}
            />
          </>
        ) : (
          <TextInput
            label={t('secondFactor.code')}
            autoComplete="one-time-code"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={50}
            {...field}
          />
        )}
        {isWrong && <FormAlert>{t(kind === 'password' ? 'confirmation.wrong' : 'confirmation.wrongCode')}</FormAlert>}
        {confirming.isError && !isWrong && <Failure error={confirming.error} />}
        <Group justify="flex-end">
          <CancelButton />
          <Button type="submit" loading={confirming.isPending}>
            {t('confirmation.submit')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function CancelButton() {
  const { t } = useTranslation()
  return (
    <Button variant="default" onClick={() => settleConfirmation(false)}>
      {t('action.cancel')}
    </Button>
  )
}

/** Returns a function that resumes the waiting requests. */
function useConfirmed(): () => void {
  const client = useQueryClient()
  return () => {
    settleConfirmation(true)
    void client.invalidateQueries({ queryKey: getSessionQueryKey() })
  }
}

/** `text` is from the settings; empty for that of the dashboard. `isFirst` gives it the focus. */
type ProviderTabLinkProps = { text: string; isFirst: boolean }

/** Leads to the identity provider in a tab of its own: what was entered on this page would be lost with it. */
function ProviderTabLink({ text, isFirst }: ProviderTabLinkProps) {
  const { t } = useTranslation()
  const link = useRef<HTMLAnchorElement>(null)
  // Of links, React ignores `autoFocus`.
  useEffect(() => {
    if (isFirst) link.current?.focus()
  }, [isFirst])
  return (
    <Stack gap={4}>
      <ButtonLink
        {...PROVIDER_LOOK}
        ref={link}
        to={paths.signInConfirm}
        target="_blank"
        rel="noopener"
        data-autofocus={isFirst || undefined}
        aria-describedby="provider-tab"
      >
        {text || t('provider.signIn')}
      </ButtonLink>
      <Text size="sm" c="dimmed" id="provider-tab">
        {t('provider.opensTab')}
      </Text>
    </Stack>
  )
}
