import { Anchor, Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hasStatus } from '../api/api-error.ts'
import { signInWithPasskey } from '../api/session.ts'
import { Failure, FormAlert } from '../components/feedback.tsx'
import { paths } from '../components/paths.ts'
import { getSessionQueryKey } from '../generated/@tanstack/react-query.gen.ts'
import { signIn, signInWithSecondFactor } from '../generated/sdk.gen.ts'
import type { SecondFactorNeeded, Session } from '../generated/types.gen.ts'
import type { Key } from '../i18n/en.ts'
import { OtherWays, PasskeyButton } from './other-ways.tsx'

type SignInFormProps = {
  /** The heading, and the reason why one has to sign in. */
  children: ReactNode
  /** Address to return to from the identity provider; this one by default. */
  back?: string
  /** The name that is filled in; undefined for a visitor that is not known. */
  name?: string
  onSignedIn(session: Session): void
}

/** Signs in by name and password, and by a second factor where one is set up. */
export function SignInForm({ children, name, back, onSignedIn }: SignInFormProps) {
  const [needed, setNeeded] = useState<SecondFactorNeeded>()
  // The heading stays in its place: it takes the focus when it is mounted.
  return (
    <Stack>
      {children}
      {needed === undefined ? (
        <>
          <PasswordForm
            name={name}
            onDone={(done) => ('second_factors' in done ? setNeeded(done) : onSignedIn(done))}
          />
          <OtherWays back={back} onSignedIn={onSignedIn} />
        </>
      ) : (
        <SecondFactorForm needed={needed} onSignedIn={onSignedIn} onStartOver={() => setNeeded(undefined)} />
      )}
    </Stack>
  )
}

type PasswordFormProps = { name: string | undefined; onDone(done: Session | SecondFactorNeeded): void }

function PasswordForm({ name, onDone }: PasswordFormProps) {
  const { t } = useTranslation()
  const passwordInput = useRef<HTMLInputElement>(null)
  const form = useForm({ mode: 'uncontrolled', initialValues: { name: name ?? '', password: '' } })
  const signingIn = useMutation({
    mutationFn: (credentials: { name: string; password: string }) => signIn({ body: credentials }),
    onSuccess: onDone,
    onError: () => passwordInput.current?.select(),
  })
  const isWrong = hasStatus(signingIn.error, 401)
  return (
    <form onSubmit={form.onSubmit((values) => signingIn.mutate(values))}>
      <Stack>
        <TextInput
          label={t('signIn.name')}
          autoComplete="username"
          required
          withAsterisk={false}
          data-autofocus={name === undefined || undefined}
          autoFocus={name === undefined}
          key={form.key('name')}
          {...form.getInputProps('name')}
        />
        <PasswordInput
          label={t('signIn.password')}
          autoComplete="current-password"
          required
          withAsterisk={false}
          data-autofocus={name !== undefined || undefined}
          autoFocus={name !== undefined}
          aria-invalid={isWrong || undefined}
          visibilityToggleButtonProps={{ 'aria-label': t('signIn.showPassword') }}
          key={form.key('password')}
          {...form.getInputProps('password')}
          ref={passwordInput}
        />
        {signingIn.isError &&
          (isWrong ? <FormAlert>{t('signIn.wrong')}</FormAlert> : <Failure error={signingIn.error} />)}
        <Button type="submit" loading={signingIn.isPending}>
          {t('signIn.submit')}
        </Button>
        <Text size="sm" c="dimmed">
          {t('signIn.forgotten')}
        </Text>
      </Stack>
    </form>
  )
}

/** Returns a function that leads from a new session to the page that was requested, or home. */
export function useContinueAfterSignIn(back: string | undefined): (session: Session) => void {
  const client = useQueryClient()
  const router = useRouter()
  return (session) => {
    client.setQueryData(getSessionQueryKey(), session)
    // Only addresses of this dashboard are followed, because anyone may have made the link.
    if (back?.startsWith('/') && !back.startsWith('//')) router.history.push(router.basepath + back)
    else void router.navigate({ to: paths.home })
  }
}

/** Shows the name that a password belongs to, so that people and password managers note both together. */
export function UsernameInput({ name }: { name: string }) {
  const { t } = useTranslation()
  return (
    <TextInput
      label={t('signIn.yourName')}
      value={name}
      readOnly
      name="username"
      autoComplete="username"
      variant="filled"
      styles={{ input: { textOverflow: 'ellipsis' } }}
    />
  )
}

type SecondFactorFormProps = {
  needed: SecondFactorNeeded
  onSignedIn(session: Session): void
  /** Leads back to the password. */
  onStartOver(): void
}

type Way = 'authenticator_app' | 'passkey' | 'recovery_code'

const CHANGE_TO: Record<Way, Key> = {
  authenticator_app: 'secondFactor.useApp',
  passkey: 'secondFactor.usePasskey',
  recovery_code: 'secondFactor.useRecovery',
}

/** Asks for a passkey, a code of the authenticator app, or a recovery code. */
export function SecondFactorForm({ needed, onSignedIn, onStartOver }: SecondFactorFormProps) {
  const { t } = useTranslation()
  const ways = needed.second_factors as Way[]
  const [way, setWay] = useState<Way>(ways[0])
  return (
    <Stack>
      {way === 'passkey' ? (
        <>
          <Text>{t('secondFactor.passkeyHelp')}</Text>
          <PasskeyButton ask={() => signInWithPasskey(true)} onDone={onSignedIn} isFirst>
            {t('secondFactor.usePasskey')}
          </PasskeyButton>
        </>
      ) : (
        <CodeForm key={way} isRecovery={way === 'recovery_code'} onSignedIn={onSignedIn} />
      )}
      <Group justify="space-between" gap="xs">
        {ways
          .filter((other) => other !== way)
          .map((other) => (
            <Anchor key={other} component="button" type="button" size="sm" onClick={() => setWay(other)}>
              {t(CHANGE_TO[other])}
            </Anchor>
          ))}
        <Anchor component="button" type="button" size="sm" onClick={onStartOver}>
          {t('secondFactor.startOver')}
        </Anchor>
      </Group>
      {way === 'recovery_code' && (
        <Text size="sm" c="dimmed">
          {t('secondFactor.lost')}
        </Text>
      )}
    </Stack>
  )
}

type CodeFormProps = { isRecovery: boolean; onSignedIn(session: Session): void }

function CodeForm({ isRecovery, onSignedIn }: CodeFormProps) {
  const { t } = useTranslation()
  const [code, setCode] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const sending = useMutation({
    mutationFn: (code: string) => signInWithSecondFactor({ body: { code } }),
    onSuccess: onSignedIn,
    onError: () => input.current?.select(),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    sending.mutate(code)
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text>{t(isRecovery ? 'secondFactor.recoveryHelp' : 'secondFactor.help')}</Text>
        <TextInput
          label={t(isRecovery ? 'secondFactor.recoveryCode' : 'secondFactor.code')}
          // Browsers fill in codes that they have received, and phones show digits.
          autoComplete={isRecovery ? 'off' : 'one-time-code'}
          inputMode={isRecovery ? 'text' : 'numeric'}
          autoCapitalize="none"
          spellCheck={false}
          required
          withAsterisk={false}
          autoFocus
          data-autofocus
          maxLength={50}
          value={code}
          onChange={({ currentTarget }) => setCode(currentTarget.value)}
          aria-invalid={hasStatus(sending.error, 401) || undefined}
          ref={input}
        />
        {sending.isError && <CodeFailed error={sending.error} isRecovery={isRecovery} />}
        <Button type="submit" loading={sending.isPending}>
          {t('secondFactor.submit')}
        </Button>
      </Stack>
    </form>
  )
}

function CodeFailed({ error, isRecovery }: { error: unknown; isRecovery: boolean }) {
  const { t } = useTranslation()
  if (hasStatus(error, 410)) return <FormAlert>{t('secondFactor.ended')}</FormAlert>
  if (!hasStatus(error, 401)) return <Failure error={error} />
  return <FormAlert>{t(isRecovery ? 'secondFactor.wrongRecovery' : 'secondFactor.wrong')}</FormAlert>
}
