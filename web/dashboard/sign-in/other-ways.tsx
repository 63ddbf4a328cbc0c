import { Button, Divider } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Fingerprint } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { signInMethodsQuery, signInWithPasskey } from '../api/passkeys.ts'
import type { Session } from '../api/session.ts'
import { PasskeyFailed } from './passkey-failed.tsx'
import { ProviderButton } from './provider-button.tsx'

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
      {hasPasskeys && <PasskeyButton onSignedIn={onSignedIn} />}
    </>
  )
}

function PasskeyButton({ onSignedIn }: Pick<OtherWaysProps, 'onSignedIn'>) {
  const { t } = useTranslation()
  const signingIn = useMutation({ mutationFn: () => signInWithPasskey(false), onSuccess: onSignedIn })
  return (
    <>
      {signingIn.isError && <PasskeyFailed error={signingIn.error} />}
      <Button
        variant="default"
        leftSection={<Fingerprint size={18} aria-hidden />}
        loading={signingIn.isPending}
        onClick={() => signingIn.mutate()}
      >
        {t('passkey.signIn')}
      </Button>
    </>
  )
}
