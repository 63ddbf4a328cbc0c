import { Anchor, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hasStatus } from '../api/api-error.ts'
import { signInWithPasskey } from '../api/session.ts'
import { Failure, FormAlert } from '../components/feedback.tsx'
import { signInWithSecondFactor } from '../generated/sdk.gen.ts'
import type { SecondFactorNeeded, Session } from '../generated/types.gen.ts'
import type { Key } from '../i18n/en.ts'
import { PasskeyButton } from './other-ways.tsx'

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
