import { Button, Divider } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { Fingerprint, LogIn } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { ApiError, hasStatus } from '../api/api-error.ts'
import { beginProviderVisit, type ProviderVisit, signInMethodsQuery, signInWithPasskey } from '../api/session.ts'
import { Failure, FormAlert } from '../components/feedback.tsx'
import type { Session } from '../generated/types.gen.ts'
import type { Key } from '../i18n/en.ts'

type OtherWaysProps = {
  /** Address to return to from the identity provider; this one by default. */
  back?: string
  onSignedIn(session: Session): void
}

/** The other ways to sign in beside name and password, as far as server and browser have them. */
export function OtherWays({ back, onSignedIn }: OtherWaysProps) {
  const { t } = useTranslation()
  const methods = useQuery(signInMethodsQuery)
  const provider = methods.data?.provider ?? null
  const hasPasskeys = methods.data?.passkeys === true && 'PublicKeyCredential' in window
  if (provider === null && !hasPasskeys) return null
  return (
    <>
      <Divider label={t('passkey.or')} />
      {provider !== null && <ProviderButton text={provider} back={back} />}
      {hasPasskeys && (
        <PasskeyButton ask={() => signInWithPasskey(false)} onDone={onSignedIn}>
          {t('passkey.signIn')}
        </PasskeyButton>
      )}
    </>
  )
}

type PasskeyButtonProps<Done> = {
  /** Asks the browser for a passkey, and the server for the account that it opens. */
  ask(): Promise<Done>
  onDone(done: Done): void
  /** Set for the first way that is offered, which has the focus. */
  isFirst?: boolean
  children: string
}

/** Signs in or confirms with a passkey. */
export function PasskeyButton<Done>({ ask, onDone, isFirst = false, children }: PasskeyButtonProps<Done>) {
  const asking = useMutation({ mutationFn: ask, onSuccess: onDone })
  return (
    <>
      {asking.isError && <PasskeyFailed error={asking.error} />}
      <Button
        variant={isFirst ? 'filled' : 'default'}
        leftSection={<Fingerprint size={18} aria-hidden />}
        loading={asking.isPending}
        onClick={() => asking.mutate()}
        autoFocus={isFirst}
        data-autofocus={isFirst || undefined}
      >
        {children}
      </Button>
    </>
  )
}

type ProviderButtonProps = {
  /** Text from the settings; empty for that of the dashboard. */
  text: string
  /** Address to return to; this one by default. */
  back?: string
}

/** Leads to the identity provider, to sign in. */
function ProviderButton({ text, back }: ProviderButtonProps) {
  const { t } = useTranslation()
  const router = useRouter()
  const leaving = useMutation({
    mutationFn: () => beginProviderVisit({ purpose: 'sign in', back: back ?? router.latestLocation.href }),
    onSuccess: (url) => location.assign(url),
  })
  return (
    <>
      {leaving.isError && <ProviderFailed error={leaving.error} purpose="sign in" />}
      <Button {...PROVIDER_LOOK} loading={leaving.isPending} onClick={() => leaving.mutate()}>
        {text || t('provider.signIn')}
      </Button>
    </>
  )
}

const TEXTS: [number, Key][] = [
  // The page was opened without an answer of the provider.
  [400, 'provider.ended'],
  [401, 'provider.refused'],
  [403, 'provider.noRole'],
  [410, 'provider.ended'],
  [503, 'provider.unavailable'],
]

/** Says why the identity provider did not sign in or confirm. */
export function ProviderFailed({ error, purpose }: { error: unknown; purpose: ProviderVisit['purpose'] }) {
  const { t } = useTranslation()
  if (purpose === 'confirm' && hasStatus(error, 403)) return <FormAlert>{t('provider.notConfirmed')}</FormAlert>
  const text = TEXTS.find(([status]) => hasStatus(error, status))
  return text === undefined ? <Failure error={error} /> : <FormAlert>{t(text[1])}</FormAlert>
}

/** Look of what leads to the identity provider. Texts from the settings may need two lines on a phone. */
export const PROVIDER_LOOK = {
  variant: 'default',
  h: 'auto',
  mih: 36,
  py: 6,
  // As high as a button beside it, with one line.
  styles: { label: { whiteSpace: 'normal', lineHeight: '22px' } },
  leftSection: <LogIn size={18} aria-hidden />,
} as const

/** Texts for the errors of browsers (Web Authentication, 5.1.3 and 5.1.4), by their names. */
const BY_NAME: Record<string, Key> = {
  NotAllowedError: 'passkey.cancelled',
  AbortError: 'passkey.cancelled',
  InvalidStateError: 'passkey.exists',
  ConstraintError: 'passkey.impossible',
  NotSupportedError: 'passkey.impossible',
}

/** Says why no passkey was created or used. */
export function PasskeyFailed({ error }: { error: unknown }) {
  const { t } = useTranslation()
  if (hasStatus(error, 401) || hasStatus(error, 403)) return <FormAlert>{t('passkey.wrong')}</FormAlert>
  if (hasStatus(error, 410)) return <FormAlert>{t('secondFactor.ended')}</FormAlert>
  if (error instanceof ApiError) return <Failure error={error} />
  const name = error instanceof Error ? error.name : ''
  if (name === 'SecurityError') return <FormAlert>{t('passkey.wrongSite', { address: location.origin })}</FormAlert>
  const key = BY_NAME[name]
  return key === undefined ? <Failure error={error} /> : <FormAlert>{t(key)}</FormAlert>
}
